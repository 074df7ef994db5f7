import Benchmark
import Plug

extension Injector.Name { fileprivate static let benchmark: Self = "benchmark" }

private struct Screen {
  @Injected(.benchmark) var network: any Network
}

private struct ScreenByHand {
  let network = ByHand.network
}

private final class Owner {
  @Injected(.benchmark) var network: any Network
}

private final class OwnerByHand {
  lazy var network = ByHand.network
}

@inline(never) private func read(_ screen: Screen) -> any Network { screen.network }
@inline(never) private func read(_ screen: ScreenByHand) -> any Network { screen.network }

/// Property wrappers.
func injecting() {
  let injector = Injector(.benchmark)
  demand { try injector.register(as: Network.self, injectable: .lazySingleton { HTTPNetwork() }) }
  let screen = Screen()
  let screenByHand = ScreenByHand()
  compare(
    "read an @Injected property", limit: 1.3, Work { for _ in $0 { blackHole(read(screen)) } },
    with: Work { for _ in $0 { blackHole(read(screenByHand)) } })
  compare(
    "build an owner with one wrapper and read it", limit: 14.1,
    Work { [injector] in
      for _ in $0 { blackHole(Owner().network) }
      withExtendedLifetime(injector) {}
    },
    with: Work { for _ in $0 { blackHole(OwnerByHand().network) } })
}
