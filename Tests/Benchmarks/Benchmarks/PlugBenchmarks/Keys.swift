import Benchmark
import Plug
import PlugKeys
import PlugOperations
import Synchronization

private enum Theme: Property { static var defaultValue: String { "a name that is longer than fifteen bytes" } }
private enum Counter: Property { static let defaultValue = 0 }

private enum LoadedNetwork: Feature {
  static func load(in injector: Injector) -> any Network { HTTPNetwork() }
}

extension Injector {
  fileprivate var network: Provider<any Network> { provide(.lazySingleton { HTTPNetwork() }) }
}

/// Properties as they are written by hand.
private final class Settings: Sendable {
  private let storage = Mutex((theme: Theme.defaultValue, counter: 0))

  var theme: String { storage.withLock { $0.theme } }
  var counter: Int { storage.withLock { $0.counter } }

  func count() {
    storage.withLock { $0.counter += 1 }
  }
}

@inline(never) private func getByHand() -> any Network { ByHand.network }
@inline(never) private func theme(_ settings: Settings) -> String { settings.theme }
@inline(never) private func theme(_ injector: Injector) -> String { injector[Theme.self] }
@inline(never) private func counter(_ settings: Settings) -> Int { settings.counter }
@inline(never) private func counter(_ injector: Injector) -> Int { injector[Counter.self] }
@inline(never) private func feature(_ injector: Injector) -> any Network { injector[LoadedNetwork.self] }
@inline(never) private func provided(_ injector: Injector) -> any Network { injector.network() }
@inline(never) private func instance(_ lazy: Lazy<any Network>) -> any Network { lazy.instance }

/// Properties, features, providers and lazies.
func keys() {
  let settings = Settings()
  let byHand = Work { for _ in $0 { blackHole(getByHand()) } }
  for isSealed in [true, false] {
    let state = isSealed ? "sealed" : "not sealed"
    let injector = Injector()
    demand {
      try injector.register(as: Network.self) { HTTPNetwork() }
      if isSealed { try injector.seal() }
    }
    compare(
      "read a property, \(state)", limit: 12.5, Work { for _ in $0 { blackHole(theme(injector)) } },
      with: Work { for _ in $0 { blackHole(theme(settings)) } })
    compare(
      "read a number property, \(state)", limit: 20, Work { for _ in $0 { blackHole(counter(injector)) } },
      with: Work { for _ in $0 { blackHole(counter(settings)) } })
    compare(
      "loaded feature, \(state)", limit: 9,
      Work { for _ in $0 { blackHole(feature(injector)) } }, with: byHand)
    compare("provider, \(state)", limit: 21.4, Work { for _ in $0 { blackHole(provided(injector)) } }, with: byHand)
  }
  let injector = Injector()
  compare(
    "update a property, nobody observes", limit: 28,
    Work { for _ in $0 { injector.update(Counter.self) { $0 += 1 } } },
    with: Work { for _ in $0 { settings.count() } })
  let lazy = Lazy<any Network> { HTTPNetwork() }
  compare("lazy", limit: 3, Work { for _ in $0 { blackHole(instance(lazy)) } }, with: byHand)
}
