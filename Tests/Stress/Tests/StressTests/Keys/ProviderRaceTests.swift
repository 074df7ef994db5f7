import TestSupport
import Testing

@testable import Plug

protocol API: Sendable {
  var base: String { get }
}

private final class LiveAPI: API {
  let base: String

  init(base: String) {
    self.base = base
  }
}

extension Injector {
  private static let madeAPIs = Counter()

  var api: Provider<any API> {
    provide(
      .lazySingleton {
        Self.madeAPIs.increment()
        return LiveAPI(base: $0[Theme.self])
      }, fileID: "Shop/API.swift", line: 9)
  }

  fileprivate var ping: Provider<Ping> { provide(.lazySingleton { Ping(pong: try $0.pong.get()) }) }
  fileprivate var pong: Provider<Pong> { provide(.lazySingleton { Pong(ping: try $0.ping.get()) }) }

  /// The same name and type as in another file.
  fileprivate var here: Provider<String> { provide(.singleton("here")) }
  fileprivate var elsewhere: Provider<String> {
    provide(.singleton("elsewhere"), name: "here", fileID: "Other/File.swift")
  }
}

private final class Ping: Sendable {
  let pong: Pong
  init(pong: Pong) { self.pong = pong }
}

private final class Pong: Sendable {
  let ping: Ping
  init(ping: Ping) { self.ping = ping }
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
