import PlugKeys
import TestSupport
import Testing

@testable import Plug

private protocol API: Sendable {
  var base: String { get }
}

private final class LiveAPI: API {
  let base: String

  init(base: String) {
    self.base = base
  }
}

extension Injector {
  fileprivate var api: Provider<any API> { provide(.lazySingleton { LiveAPI(base: $0[Theme.self]) }) }
}

@Suite("A provider under several threads", .repeatable, .serialized)
struct ProviderRaceTests {
  @Test("makes a singleton exactly once under eight threads", arguments: [false, true])
  func cold(sealed: Bool) throws {
    try race(threads: 8) { _ in
      let injector = Injector()
      if sealed { try injector.seal() }
      return injector
    } body: { (injector: Injector, _) -> ObjectIdentifier? in
      (injector.api() as? LiveAPI).map(ObjectIdentifier.init)
    } check: { _, outcomes in
      #expect(Set(outcomes).count == 1)
    }
  }
}
