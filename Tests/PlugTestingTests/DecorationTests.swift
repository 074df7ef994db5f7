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
      try shop.decorate((any Finder).self, tag: "added", id: "logging") { inner, _ in Logging(inner: inner) }
      try shop.register(String.self, taking: Int.self, lifetime: .lazySingleton) { number, _ in "\(number)" }
      try shop.seal()
    }
    return shop
  }()

  @Test("A service with arguments can be overridden", .isolated)
  func arguments() throws {
    #expect(try Self.shop.get(String.self, with: 7) == "7")
    try Self.shop.override(String.self, taking: Int.self) { number, _ in "fake \(number)" }
    #expect(try Self.shop.get(String.self, with: 7) == "fake 7")
  }

  @Test("A service that the test registers gets the program's decorators", .isolated)
  func added() throws {
    try Self.shop.register(as: (any Finder).self, tag: "added") { Plain(trace: "added") }
    #expect(try Self.shop.get((any Finder).self, tag: "added").trace == "logging(added)")
  }

  @Test(
    "A decorator of the test wraps services that the program registered and sealed", .isolated, arguments: 0..<3)
  func decorated(step: Int) throws {
    if step == 1 { #expect(try Self.shop.get(String.self, with: 7) == "7") }
    if step == 2 { _ = Self.shop.makeScope() }
    try Self.shop.decorate((any Finder).self) { inner, _ in Logging(inner: inner) }
    #expect(try Self.shop.get((any Finder).self).trace == "logging(logging(plain))")
    let scope = Self.shop.makeScope()
    try scope.decorate((any Finder).self) { inner, _ in Logging(inner: inner) }
    try scope.decorate(String.self) { inner, _ in "scope \(inner)" }
    #expect(try scope.get((any Finder).self).trace == "logging(logging(logging(plain)))")
    #expect(try scope.get(String.self, with: 7) == "scope 7" && Self.shop.get(String.self, with: 7) == "7")
  }

  @Test("A scope's decorator from the program wraps an inherited service that the test overrides")
  func programScope() throws {
    let root = Injector("shop of a scope")
    try root.register(as: (any Finder).self) { Plain() }
    let scope = root.makeScope()
    try scope.decorate((any Finder).self) { inner, _ in Logging(inner: inner) }
    try withIsolatedInjectors {
      #expect(try scope.get((any Finder).self).trace == "logging(plain)")
      try root.override(as: (any Finder).self) { Plain(trace: "fake") }
      let inner = scope.makeScope()
      #expect(try inner.get((any Finder).self).trace == "logging(plain)")
      scope.reset()
      #expect(try scope.get((any Finder).self).trace == "logging(fake)")
    }
    #expect(try scope.get((any Finder).self).trace == "logging(plain)")
  }

  @Test("An asynchronous test waits for asynchronous closings")
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
