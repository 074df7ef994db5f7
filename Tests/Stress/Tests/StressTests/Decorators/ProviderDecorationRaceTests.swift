import TestSupport
import Testing

@testable import Plug

private struct Named: Networking {
  let name: String
}

extension Injector {
  fileprivate var network: Provider<any Networking> { provide(.lazySingleton { Named(name: "live") }) }
}

extension Provider where Service == any Networking {
  fileprivate func decorate(by name: String) throws(InjectorError) {
    try decorate(id: name) { inner, _ in Named(name: "\(name)(\(inner.name))") }
  }
}

@Suite("The decorator of a provider under several threads", .repeatable)
struct ProviderDecorationRaceTests {
  @Test("wraps each instance that many threads request first", arguments: [2, 8])
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
