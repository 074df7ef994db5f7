import Plug
import TestSupport
import Testing

/// Services that need each other in a cycle.
private final class A: Sendable {
  init(_ b: B) {}
}

private final class B: Sendable {
  init(_ c: C) {}
}

private final class C: Sendable {
  init(_ a: A) {}
}

@Suite("A circular dependency under several threads", .repeatable, .serialized)
struct CircularDependencyRaceTests {
  enum Lifetime: CaseIterable { case shared, new }

  /// Registers A → B → C → A.
  private func ring(_ lifetime: Lifetime) throws -> Injector {
    let injector = Injector("ring of three")
    func inject<Service>(_ make: @escaping @Sendable (Injector) throws -> Service) -> Injection<Service> {
      lifetime == .shared ? .lazySingleton(make) : .factory(make)
    }
    try injector.register(injectable: inject { try A($0.get()) })
    try injector.register(injectable: inject { try B($0.get()) })
    try injector.register(injectable: inject { try C($0.get()) })
    return injector
  }

  @Test("never hangs, whatever the number of threads", arguments: [2, 8], Lifetime.allCases)
  func manyThreads(threads: Int, lifetime: Lifetime) throws {
    try race(threads: threads) { _ in
      try ring(lifetime)
    } body: { injector, thread in
      switch thread % 3 {
      case 0: injector.outcome(A.self).circularPath
      case 1: injector.outcome(B.self).circularPath
      default: injector.outcome(C.self).circularPath
      }
    } check: { _, paths in
      let rings = [["A", "B", "C", "A"], ["B", "C", "A", "B"], ["C", "A", "B", "C"]]
      #expect(paths.allSatisfy { path in rings.contains { $0 == path } })
    }
  }
}
