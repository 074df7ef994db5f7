import TestSupport
import Testing

@testable import Plug
@testable import PlugOperations

private struct Outer: Sendable {
  let inner: Inner
}

private struct Inner: Sendable {}

@Suite("A tracer under several threads", .repeatable, .serialized)
struct InjectorTracingRaceTests {
  @Test("is called without a lock: it may take locks of its own, on any thread", arguments: [8])
  func contended(threads: Int) throws {
    let counts = Locked([String: Int]())
    let injector = Injector()
    var rounds = 0
    injector.tracer = { event in
      counts.withLock { $0["\(event.kind)".prefix { $0 != "(" }.description, default: 0] += 1 }
    }
    defer { injector.tracer = nil }
    try injector.register(injectable: .factory { Inner() })
    try injector.register(injectable: .factory(wiring: Outer.init))
    try race(threads: threads) { _ in
      rounds += 1
      return injector
    } body: { injector, _ in
      (try? injector.get(Outer.self)) != nil
    } check: { _, outcomes in
      #expect(!outcomes.contains(false))
    }
    #expect(counts.withLock { $0 } == ["constructed": rounds * threads * 2, "resolved": rounds * threads * 2])
  }
}
