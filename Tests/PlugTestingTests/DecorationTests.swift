import Plug
import PlugTesting
import Synchronization
import Testing

private protocol Finder: Sendable {
  var trace: String { get }
}

private struct Plain: Finder {
  var trace = "plain"
}

private struct Logging: Finder {
  let inner: any Finder
  var trace: String { "logging(\(inner.trace))" }
}

@Suite("Decorators in isolated tests")
struct DecorationTests {
  static let shop: Injector = {
    let shop = Injector("decorated shop")
    orStop {
      try shop.register(as: (any Finder).self) { Plain() }
      try shop.decorate((any Finder).self, id: "logging") { inner, _ in Logging(inner: inner) }
      try shop.register(as: String.self, taking: Int.self, lifetime: .lazySingleton) { number, _ in "\(number)" }
      try shop.seal()
    }
    return shop
  }()

  @Test("a service with arguments is overridden", .isolated)
  func arguments() throws {
    #expect(try Self.shop.get(String.self, with: 7) == "7")
    try Self.shop.override(as: String.self, taking: Int.self) { number, _ in "fake \(number)" }
    #expect(try Self.shop.get(String.self, with: 7) == "fake 7")
  }

  @Test("an asynchronous test waits for asynchronous closings")
  func closing() async throws {
    let closed = LockedCount()
    try await withIsolatedInjectors {
      try Self.shop.override(
        as: LockedCount.self,
        injectable: .lazySingleton { closed }.onClose { closed in
          for _ in 0..<10 { await Task.yield() }
          closed.increment()
        })
      _ = try await Self.shop.load(LockedCount.self)
    }
    #expect(closed.value == 1)
  }

}

private final class LockedCount: Sendable {
  private let count = Atomic(0)
  var value: Int { count.load(ordering: .sequentiallyConsistent) }
  func increment() { count.add(1, ordering: .sequentiallyConsistent) }
}

private func orStop(_ body: () throws -> Void) {
  do {
    try body()
  } catch {
    fatalError("\(error)")
  }
}
