import PlugOperations
import Testing

@testable import Plug

private func pipeline(_ candidates: Candidate<String, Guest>...) -> PluginPoint<String, Guest> {
  PluginPoint("pipeline") { for candidate in candidates { candidate } }
}

private func step(_ id: String, priority: Int = 0) -> Candidate<String, Guest> {
  Candidate(id, .factory { id }, priority: priority)
}

@Suite("Candidates with an order")
struct CandidateOrderTests {
  @Test("come after and before others as declared, whatever their priorities")
  func order() throws {
    let point = pipeline(
      step("log").after("render"), step("render", priority: -1).after("auth"), step("auth"),
      step("cors").before("auth"), step("first", priority: 5))
    #expect(try point.getAll(in: Guest()) == ["first", "cors", "auth", "render", "log"])
    #expect(
      point.explain(in: Guest()).description == """
        pipeline in Guest: 5 of 5 apply, selected: first
          log: available as number 5, after render
          render: available as number 4, after auth, priority -1
          auth: available as number 3
          cors: available as number 2, before auth
          first: selected, priority 5
        """)
  }

  @Test("keep their declared order if no other order is given")
  func stable() throws {
    let point = pipeline(step("c"), step("a"), step("b").after("nothing"), step("d", priority: 1))
    #expect(try point.getAll(in: Guest()) == ["d", "c", "a", "b"])
  }

  @Test("are sorted also when they are registered later")
  func registeredLater() throws {
    let services = Injector("services")
    try services.register(pipeline(step("render").after("auth"), step("log").after("render")))
    try services.contribute(
      String.self, .factory { "auth" }, when: Rule<Guest>.always, id: "auth")
    try services.register(as: String.self, injectable: .factory { "fallback" })
    #expect(try services.getAll(String.self, in: Guest()) == ["auth", "render", "log", "fallback"])
    try services.unregister(String.self, candidate: "auth")
    #expect(try services.getAll(String.self, in: Guest()) == ["render", "log", "fallback"])
  }

  @Test("in a cycle are a finding of an audit, and keep all orders but one")
  func circle() throws {
    let services = Injector("services")
    try services.register(
      pipeline(
        step("a").after("c"), step("b").after("a"), step("c").after("b"), step("d").after("d"), step("e").after("c")),
      tag: "steps")
    #expect(try services.getAll(String.self, tag: "steps", in: Guest()) == ["a", "b", "c", "e", "d"])
    let findings = services.audit().findings.filter { $0.kind == .circularOrder }
    #expect(findings.map(\.details) == [["a", "b", "c", "a"], ["d", "d"]])
    #expect(
      findings[0].description == """
        Candidates of String (tag "steps") must come after each other: a → b → c → a.
        at \(findings[0].registeredAt)
        Remove one of the orders.
        """)
  }

  @Test("with an order relative to an unknown candidate are a finding of an audit")
  func unknown() throws {
    let services = Injector("services")
    try services.register(pipeline(step("a").after("b", "x").before("y"), step("b")), tag: "steps")
    let findings = services.audit().findings.filter { $0.kind == .unknownOrder }
    #expect(findings.map(\.details) == [["x", "y"]])
    #expect(findings.map(\.subject) == ["String (tag \"steps\") [a]"])
  }

  @Test("in a long chain are sorted, too")
  func chain() {
    let many = (0..<100_000).map { number in
      (id: "\(number)", order: CandidateOrder(after: number > 0 ? ["\(number - 1)"] : []))
    }
    #expect(topologicalOrder(of: many.reversed()) == Array((0..<100_000).reversed()))
  }
}
