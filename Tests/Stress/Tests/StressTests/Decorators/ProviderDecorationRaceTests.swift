import TestSupport
import Testing

@testable import Plug

private struct Named: Networking {
  let name: String
}

@MainActor private final class Screen {
  nonisolated let title: String

  init(_ title: String) { self.title = title }
}

extension Injector {
  fileprivate var network: Provider<any Networking> {
    provide(.lazySingleton { Named(name: "live") }, fileID: "Shop/Network.swift", line: 1)
  }
  fileprivate var fresh: Provider<any Networking> { provide(.factory { Named(name: "fresh") }) }
  fileprivate var own: Provider<any Networking> { provide(.scoped { Named(name: "own") }) }
  fileprivate var screen: MainActorProvider<Screen> { provide(.lazySingleton { @MainActor in Screen("screen") }) }
  fileprivate var page: ArgumentsProvider<String, Int> {
    provide(fileID: "Shop/Network.swift", line: 2) { number, _ in "page \(number)" }
  }

  fileprivate func given(_ log: Log) -> Provider<any Networking> {
    provide(.singleton(Named(name: "given")).onClose { log.add("closed \($0.name)") })
  }
}

extension Provider where Service == any Networking {
  fileprivate func decorate(by name: String) throws(InjectorError) {
    try decorate(id: name) { inner, _ in Named(name: "\(name)(\(inner.name))") }
  }
}

@Suite("The decorator of a provider under several threads", .repeatable)
struct ProviderDecorationRaceTests {
  let injector = Injector("shop")

  @Test("wraps each instance that many threads begin with", arguments: [2, 8])
  func threads(threads: Int) throws {
    try race(threads: threads) { _ in
      Injector()
    } body: { injector, thread -> (isDecorated: Bool, name: String?) in
      guard thread == 0 else { return (false, try? injector.network.get().name) }
      return ((try? injector.network.decorate(by: "wrapped")) != nil, nil)
    } check: { injector, outcomes in
      let name = outcomes[0].isDecorated ? "wrapped(live)" : "live"
      #expect(injector.network().name == name)
    }
  }
}
