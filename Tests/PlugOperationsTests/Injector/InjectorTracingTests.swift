import PlugKeys
import TestSupport
import Testing

@testable import Plug
@testable import PlugOperations

private struct Outer: Sendable {
  let inner: Inner
}

private struct Inner: Sendable {}

extension Injector.Event {
  /// The event in one line, without the time, which differs.
  fileprivate var line: String {
    let what =
      switch kind {
      case .resolved: "resolved \(service)"
      case .selected(let candidate): "selected \(candidate) for \(service)"
      case .constructed(let duration): duration > .zero ? "constructed \(service)" : "constructed in no time"
      case .failed: "failed \(service)"
      case .closed: "closed \(service)"
      }
    return "\(injector ?? "?"): \(what): \(chain.joined(separator: " → "))"
  }
}

@Suite("A tracer", .serialized)
struct InjectorTracingTests {
  @Test("sees resolutions, selections, constructions, failures and closings in order")
  func events() throws {
    let log = Log()
    let injector = Injector("shop")
    injector.tracer = { log.add($0.line) }
    try injector.register(injectable: .factory(wiring: Outer.init))
    try injector.register { Inner() }
    try injector.register(
      PluginPoint<any Networking, Int>("networks") {
        Candidate("large") { Instance() }.when(Rule("is large") { $0 > 10 })
        Candidate("small", .scoped { Instance() })
      })
    let scope = injector.makeScope("request")
    _ = try scope.get(Outer.self)
    _ = try? scope.get(Double.self)
    _ = try scope.get((any Networking).self, in: 5)
    scope.closeNow()
    injector.tracer = nil
    _ = try injector.get(Outer.self)
    #expect(
      log.lines == [
        "shop: constructed Inner: Outer → Inner",
        "shop/request: resolved Inner: Outer → Inner",
        "shop/request: constructed Outer: Outer",
        "shop/request: resolved Outer: Outer",
        "shop/request: failed Double: Double",
        "shop/request: selected small for Networking: Networking",
        "shop/request: constructed Networking [small]: Networking [small]",
        "shop/request: resolved Networking: Networking",
        "shop/request: closed Networking [small]: Networking [small]",
      ])
  }

  @Test("sees requests for existing instances through every API")
  func ways() throws {
    let log = Log()
    let injector = Injector("shop")
    try injector.register { Inner() }
    try injector.register(injectable: .factory(wiring: Outer.init))
    _ = try injector.get(Outer.self)
    injector.tracer = { log.add("\($0)") }
    _ = try injector.get(Inner.self)
    _ = injector[Inner.self]
    let _: Inner = injector.resolve()
    let _: Inner? = injector.resolve()
    _ = try injector.getAll(Inner.self)
    _ = try injector.get(Inner.self, in: 1)
    _ = try injector.getAll(Inner.self, in: 1)
    #expect(
      log.lines.map { $0.replacing("Optional<Inner>", with: "Inner") } == Array(repeating: "resolved Inner", count: 7))
    injector.tracer = nil
    _ = try injector.get(Inner.self)
    #expect(log.lines.count == 7 && injector.tracer == nil)
  }

  @Test("works beside other tracers of the injector and its scopes until it is cancelled or released")
  func several() throws {
    let (injector, log) = (Injector("shop"), Log())
    defer { injector.tracer = nil }
    try injector.register(injectable: .singleton(Inner()))
    let scope = injector.makeScope("request")
    injector.tracer = { log.add("first \($0.line)") }
    let second = injector.trace { log.add("second \($0.line)") }
    var third: ObservationToken? = scope.trace { log.add("third \($0.line)") }
    _ = try scope.get(Inner.self)
    third = nil
    _ = try scope.get(Inner.self)
    second.cancel()
    _ = try injector.get(Inner.self)
    let line = "shop/request: resolved Inner: Inner"
    #expect(
      log.lines == [
        "first \(line)", "third \(line)", "second \(line)", "first \(line)", "second \(line)",
        "first shop: resolved Inner: Inner",
      ])
    #expect(third == nil)
  }
}
