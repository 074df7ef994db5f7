import Plug
import TestSupport
import Testing

@Suite("A choice")
struct LostChoiceTests {
  @Test("that a scope has decorated begins again with what it inherits, if its candidate is removed meanwhile")
  func inherited() throws {
    let root = Injector("shop")
    try root.register(String.self) { "plain" }
    let scope = root.makeScope("scope")
    try scope.decorate(String.self) { text, _ in text + "!" }
    let late = Injection<String>.lazySingleton { injector in
      try injector.unregister(String.self, candidate: "late")
      return "late"
    }
    try root.contribute(String.self, late.onClose { _ in }, id: "late")
    #expect(try scope.get(String.self) == "plain!")
  }

  @Test("whose rule closes the injector is refused like any request of a closed injector")
  func closedByRule() throws {
    func refusal(_ ask: (Injector) throws -> Any) throws -> InjectorError? {
      let (root, asked) = (Injector("shop"), Counter())
      let scope = root.makeScope("choice.closed")
      let rule = Rule<Int>("closes") { [weak scope] _ in
        asked.increment()
        if asked.value > 1 { scope?.closeNow() }
        return true
      }
      let candidate = Candidate<String, Int>("only", .lazySingleton { "only" }.onClose { _ in }).when(rule)
      try scope.register(PluginPoint<String, Int>("names") { candidate })
      #expect(try scope.get(String.self, in: 1) == "only")
      return #expect(throws: InjectorError.self) { _ = try ask(scope) }
    }
    let line = #line + 1
    let error = try refusal { try $0.get(String.self, in: 1) }
    #expect(
      error?.description == """
        String cannot be resolved or registered: the injector is closed.
          service:        String
          injector:       shop/choice.closed
          chain:          String
          asked at:       PlugTests/LostChoiceTests.swift:\(line)
        To fix this:
          - Get the services that you need before you close the injector, and keep no object that asks it later.
          - Or open another scope: makeScope("…").
        """)
    for error in [
      try refusal { try $0.get(String?.self, in: 1) as Any }, try refusal { try $0.getAll(String.self, in: 1) },
    ] {
      if case .closed = error { continue }
      Issue.record("\(String(describing: error))")
    }
  }

  @Test("is repeated with the new registrations if a rule has replaced all candidates", arguments: [false, true])
  func replacedByRule(isPlain: Bool) throws {
    let injector = Injector("choice.replaced")
    let rule = Rule<Int>("replaces") { _ in
      try injector.unregister(String.self)
      if isPlain {
        try injector.register(injectable: .singleton("new"))
      } else {
        try injector.register(PluginPoint<String, Int>("names") { Candidate("new") { "new" } })
      }
      return true
    }
    try injector.register(PluginPoint<String, Int>("names") { Candidate("old") { "old" }.when(rule) })
    #expect(try injector.get(String.self, in: 1) == "new")
  }

  @Test("throws notRegistered if all its candidates have been removed")
  func removedByLastRule() throws {
    let injector = Injector("choice.removed")
    let rule = Rule<Int>("removes") { _ in
      try injector.unregister(String.self)
      return true
    }
    func register() throws -> Int {
      try injector.register(PluginPoint<String, Int>("names") { Candidate("old") { "old" }.when(rule) })
      return #line - 1
    }
    _ = try register()
    #expect(try injector.get(String?.self, in: 1) == nil)
    _ = try register()
    let line = #line + 1
    let error = #expect(throws: InjectorError.self) { try injector.get(String.self, in: 1) }
    #expect(
      error?.description == """
        get(String.self) failed: nothing is registered for String.
          service:        String
          injector:       choice.removed
          chain:          String
          asked at:       PlugTests/LostChoiceTests.swift:\(line)
        To fix this:
          - Register it before you ask for it: try Injector["choice.removed"].register(String.self, …).
        """)
  }
}
