import TestSupport
import Testing

@testable import Plug

private protocol Search: Sendable {
  var trace: String { get }
}

private struct Plain: Search {
  var trace = "plain"
}

private struct Wrapped: Search {
  let inner: any Search
  let name: String
  var trace: String { "\(name)(\(inner.trace))" }
}

extension Injector {
  fileprivate func decorate(_ name: String, line: Int = #line) throws {
    try decorate((any Search).self, id: name, line: line) { inner, _ in Wrapped(inner: inner, name: name) }
  }

  fileprivate func search() throws -> String { try get((any Search).self).trace }
}

@Suite("Late decorators")
struct LateDecorationTests {
  let injector = Injector()
  let log = Log()

  @Test("are refused for a handed-in instance in use, and for an instance made in a scope")
  func inUse() throws {
    try injector.register(as: (any Search).self, injectable: .singleton(Plain()).onClose { [log] in log.add($0.trace) })
    try injector.decorate("first")
    try injector.decorate("second")
    #expect(try injector.search() == "second(first(plain))")
    #expect(throws: InjectorError.self) { try injector.decorate("third") }
    try injector.register(injectable: .scoped { 7 })
    let scope = injector.makeScope()
    _ = try scope.get(Int.self)
    for late in [injector, scope] {
      let error = #expect(throws: InjectorError.self) { try late.decorate(Int.self) { inner, _ in inner + 1 } }
      guard case .instanceExists = try #require(error) else { throw try #require(error) }
    }
    injector.closeNow()
    #expect(log.lines == ["plain"])
  }

  @Test("and resets by a rule lose no implementation of a request that is under way", arguments: [false, true])
  func rules(isReset: Bool) throws {
    let isDone = Locked(false)
    let injector = injector
    let change = Rule<Int>("changes") { _ in
      let isLater = isDone.withLock { isDone in
        defer { isDone = true }
        return isDone
      }
      if isLater { return true }
      if isReset { injector.reset() } else { try injector.decorate("late") }
      return true
    }
    try injector.register(
      PluginPoint<any Search, Int>("search") {
        Candidate("first") { Plain(trace: "first") }
        Candidate("second") { Plain(trace: "second") }
        Candidate("third") { Plain(trace: "third") }.when(change)
      })
    if isReset { _ = try injector.get((any Search).self, in: 1) }
    let all = try injector.getAll((any Search).self, in: 1)
    #expect(
      all.map(\.trace)
        == (isReset ? ["first", "second", "third"] : ["late(first)", "late(second)", "late(third)"]))
  }

  @Test("of services that are not registered are listed")
  func idle() throws {
    func idle(_ injector: Injector) -> [String] {
      injector.idleDecorators.map {
        "\($0.id) of \($0.service.text) at \($0.location.line)"
      }.sorted()
    }
    try injector.register(as: (any Search).self) { Plain() }
    try injector.decorate("used", line: 1)
    try injector.decorate((any Search).self, tag: "other", id: "tagged", line: 2) { inner, _ in inner }
    try injector.decorate(Plain.self, id: "typed", line: 3) { inner, _ in inner }
    #expect(idle(injector) == ["tagged of Search (tag \"other\") at 2", "typed of Plain at 3"])
    try injector.register { Plain() }
    try injector.register(as: (any Search).self, tag: "other", injectable: .providedByScope)
    #expect(idle(injector) == ["tagged of Search (tag \"other\") at 2"])
    let scope = injector.makeScope()
    try scope.decorate("scope")
    #expect(idle(scope) == [])
    try scope.unregister((any Search).self)
    #expect(idle(scope) == ["scope of Search at \(#line - 3)"])
  }
}
