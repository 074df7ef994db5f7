import Plug
import TestSupport
import Testing

/// A class that several threads share, with the wrapper in a constant.
private final class Shared: Sendable {
  let network: Injected<any Networking>

  init(_ injector: Injector) {
    network = Injected(injector: injector)
  }
}

@Suite("An injected property under several threads", .repeatable, .serialized)
struct InjectedValueRaceTests {
  @Test("returns one value to all threads", arguments: [2, 8])
  func threads(threads: Int) throws {
    let injector = Injector()
    try injector.register(as: (any Networking).self, injectable: .factory { Instance() })
    try race(threads: threads) { _ in
      Shared(injector)
    } body: { shared, _ in
      shared.network.wrappedValue
    } check: { _, values in
      #expect(Set(values.compactMap { $0 as? Instance }.map(ObjectIdentifier.init)).count == 1)
      #expect(values.count == threads)
    }
  }
}
