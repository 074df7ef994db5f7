import PlugOperations
import TestSupport
import Testing

@testable import Plug

private func point(
  _ id: String, _ rules: KeyValuePairs<String, Rule<Guest>>
) -> PluginPoint<String, Guest> {
  PluginPoint(id) {
    for (id, rule) in rules { Candidate(id, .factory { id }).when(rule) }
  }
}

@Suite("A rule on the selection at another point")
struct RuleSelectedTests {
  private let services = Injector("services")

  private func register() throws {
    try services.register(
      point("checkout", ["one-click": .atLeast(\.age, 18), "classic": .always]), tag: "checkout")
    try services.register(
      point("vouchers", ["digital": .selected("one-click", at: "checkout"), "paper": .always]), tag: "vouchers")
  }

  @Test("follows that selection, in the same context")
  func follows() throws {
    try register()
    try services.seal()
    #expect(try services.get(String.self, tag: "vouchers", in: Guest(age: 30)) == "digital")
    #expect(try services.get(String.self, tag: "vouchers", in: Guest(age: 10)) == "paper")
    let scope = services.makeScope("request")
    #expect(try scope.get(String.self, tag: "vouchers", in: Guest(age: 30)) == "digital")
    #expect(
      try scope.explain(String.self, tag: "vouchers", in: Guest(age: 10)).description == """
        String in Guest: 1 of 2 apply, selected: paper
          point vouchers: open
            digital: ruled out
              - "one-click" is selected at "checkout": "classic"
            paper: selected
        """)
    #expect(try services.validate().problems == [])
  }

  @Test("reads the registration of a scope that replaces the point")
  func replaced() throws {
    try register()
    let scope = services.makeScope("request")
    try scope.register(point("checkout", ["classic": .always]), tag: "checkout")
    #expect(try scope.get(String.self, tag: "vouchers", in: Guest()) == "paper")
    #expect(try services.get(String.self, tag: "vouchers", in: Guest()) == "digital")
    try services.unregister(String.self, tag: "checkout")
    #expect(try services.get(String.self, tag: "vouchers", in: Guest()) == "paper")
  }

  @Test("is indeterminate if the point is missing, ambiguous or has another context")
  func unknown() throws {
    let rule = Rule<Guest>.selected("a", at: "point")
    #expect(rule.trace(in: Guest(), from: services).reason == "no point \"point\" is registered")
    try services.register(PluginPoint<Int, String>("point") { Candidate("a", .factory { 1 }) })
    #expect(rule.evaluate(in: Guest(), from: services) == .indeterminate)
    #expect(rule.trace(in: Guest(), from: services).reason?.contains("String, not Guest") == true)
    try services.register(point("point", ["a": .always]))
    #expect(rule.trace(in: Guest(), from: services).reason == "2 services have a point \"point\"")
    #expect((!rule).evaluate(in: Guest(), from: services) == .indeterminate)
    services.closeNow()
    #expect(rule.trace(in: Guest(), from: services).reason == "the injector is closed")
  }

  @Test("finds a point that is named like its service")
  func namedLikeService() throws {
    try services.register(point("String", ["a": .always]))
    #expect(Rule<Guest>.selected("a", at: "String").evaluate(in: Guest(), from: services) == .satisfied)
  }

  @Test("finds a service without a point by its name, and a fallback by its id")
  func names() throws {
    try services.contribute(Int.self, .factory { 1 }, when: Rule<Guest>.atLeast(\.age, 18), id: "one")
    try services.register(as: Int.self, injectable: .factory { 2 })
    let rules = [Rule<Guest>.selected("one", at: "Int"), .selected("default", at: "Int")]
    #expect(rules.map { $0.evaluate(in: Guest(), from: services) } == [.satisfied, .unsatisfied])
    #expect(rules.map { $0.evaluate(in: Guest(age: 10), from: services) } == [.unsatisfied, .satisfied])
  }

  @Test("that depends on itself is a problem, and a circular dependency at run time")
  func circle() throws {
    try services.register(point("a", ["x": .selected("y", at: "b")]), tag: "a")
    try services.register(point("b", ["y": .selected("x", at: "a")]), tag: "b")
    let error = #expect(throws: InjectorError.self) { try services.get(String.self, tag: "a", in: Guest()) }
    guard case .circularDependency(_, let path) = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(path == ["String (tag \"a\")", "String (tag \"b\")", "String (tag \"a\")"])
    #expect(
      services.audit().description.split(separator: "\n").prefix(2) == [
        #"Injector "services" has 1 finding in 2 services."#,
        #"1. String (tag "a") is selected by a rule that depends on its own selection: "#
          + #"String (tag "a") → String (tag "b") → String (tag "a")."#,
      ])
  }

  @Test("cannot read a point that a scope has replaced by another registration")
  func hidden() throws {
    try register()
    let scope = services.makeScope("request")
    try scope.register(as: String.self, tag: "checkout", injectable: .singleton("plain"))
    #expect(try scope.get(String.self, tag: "vouchers", in: Guest()) == "paper")
    #expect(
      Rule<Guest>.selected("one-click", at: "checkout").trace(in: Guest(), from: scope).reason
        == "String (tag \"checkout\") is registered in a scope without the point \"checkout\"")
  }

  @Test("reads the injector that is the context")
  func injectorAsContext() throws {
    try services.register(PluginPoint<Int, Injector>("numbers") { Candidate("one", .factory { 1 }) })
    let rule = Rule<Injector>.selected("one", at: "numbers")
    #expect(rule.evaluate(in: services) == .satisfied)
    #expect(rule.evaluate(in: Injector("another")) == .indeterminate)
  }

  @Test("on a missing point or candidate is a finding of an audit, since a scope may register it")
  func missing() throws {
    try register()
    try services.register(
      point("gifts", ["card": .selected("two-click", at: "checkout"), "box": .selected("x", at: "nowhere")]),
      tag: "gifts")
    let findings = services.audit().findings.filter { $0.kind == .unknownPoint }
    #expect(findings.map(\.subject) == ["candidate \"two-click\" at point \"checkout\"", "point \"nowhere\""])
    #expect(findings.map(\.details) == [["String (tag \"gifts\")"], ["String (tag \"gifts\")"]])
  }
}
