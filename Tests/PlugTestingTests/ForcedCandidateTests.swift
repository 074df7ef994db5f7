import Plug
import PlugOperations
import PlugTesting
import Testing

private enum Mail {
  protocol Client: Sendable {}
  struct Made: Client { let name: String }
}

private enum Web {
  protocol Client: Sendable {}
  struct Made: Client { let name: String }
}

@Suite("A candidate that a test forces or disables", .isolated)
struct ForcedCandidateTests {
  @Test("comes first if it is forced, even against its declared order")
  func order() throws {
    let injector = Injector("forced")
    try injector.register(
      PluginPoint<String, Shopper>("pipeline") {
        Candidate("a", .factory { "a" }).before("b")
        Candidate("b", .factory { "b" }).after("a")
        Candidate("c", .factory { "c" }).after("b")
      })
    try injector.force("b", at: "pipeline")
    #expect(try injector.getAll(String.self, in: Shopper()) == ["b", "a", "c"])
  }

  @Test("is found by other points' rules if only the test has registered its point")
  func registeredInTest() throws {
    let injector = Injector("forced")
    try injector.register(
      PluginPoint<String, Shopper>("vouchers") {
        Candidate("digital", .factory { "digital" }).when(.selected("one-click", at: "checkout"))
        Candidate("paper", .factory { "paper" })
      }, tag: "vouchers")
    #expect(try injector.get(String.self, tag: "vouchers", in: Shopper()) == "paper")
    try withIsolatedInjectors {
      #expect(try injector.get(String.self, tag: "vouchers", in: Shopper()) == "paper")
      try injector.register(
        PluginPoint<String, Shopper>("checkout") {
          Candidate("one-click", .factory { "one-click" }).when(.never)
          Candidate("classic", .factory { "classic" })
        }, tag: "checkout")
      #expect(try injector.get(String.self, tag: "vouchers", in: Shopper()) == "paper")
      try injector.force("one-click", at: "checkout")
      #expect(try injector.get(String.self, tag: "vouchers", in: Shopper()) == "digital")
    }
    #expect(try injector.get(String.self, tag: "vouchers", in: Shopper()) == "paper")
  }

  @Test("affects the rules of other points that depend on the selection")
  func selected() throws {
    let injector = Injector("forced")
    try injector.register(
      PluginPoint<String, Shopper>("checkout") {
        Candidate("one-click", .factory { "one-click" })
        Candidate("classic", .factory { "classic" })
      }, tag: "checkout")
    try injector.register(
      PluginPoint<String, Shopper>("vouchers") {
        Candidate("digital", .factory { "digital" }).when(.selected("one-click", at: "checkout"))
        Candidate("paper", .factory { "paper" })
      }, tag: "vouchers")
    #expect(try injector.get(String.self, tag: "vouchers", in: Shopper()) == "digital")
    try injector.disable("one-click", at: "checkout")
    #expect(try injector.get(String.self, tag: "vouchers", in: Shopper()) == "paper")
  }

  @Test("has an explanation that matches the choice, even if candidates are drawn by weight")
  func explained() throws {
    let injector = Injector("forced")
    try injector.register(
      PluginPoint<String, Shopper>("names") {
        for name in ["a", "b", "c", "d"] { Candidate(name, .factory { name }).weight(1, by: \.id) }
      })
    try injector.force("c", at: "names")
    try injector.disable("b", at: "names")
    for number in 0..<20 {
      let shopper = Shopper("shopper \(number)")
      let all = try injector.getAll(String.self, in: shopper)
      #expect(all.first == "c" && Set(all) == ["a", "c", "d"])
      #expect(try injector.explain(String.self, in: shopper).available == all)
      #expect(try injector.get(String.self, in: shopper) == "c")
    }
  }

  @Test("is refused under a name of several services, which the error lists, and accepted with the module or tag")
  func ambiguous() throws {
    let injector = Injector("forced")
    try injector.register(
      PluginPoint<any Mail.Client, Shopper>("mail", fileID: "Shop/Mail.swift", line: 1) {
        for name in ["old", "new"] { Candidate(name, .factory { Mail.Made(name: name) }) }
      })
    let scope = injector.makeScope()
    try scope.register(
      PluginPoint<any Web.Client, Shopper>("web", fileID: "Shop/Web.swift", line: 2) {
        for name in ["old", "new"] { Candidate(name, .factory { Web.Made(name: name) }) }
      }, tag: "fast")
    let mail = { try (scope.get((any Mail.Client).self, in: Shopper()) as? Mail.Made)?.name }
    let web = { try (scope.get((any Web.Client).self, tag: "fast", in: Shopper()) as? Web.Made)?.name }
    let names = ["PlugTestingTests.Mail.Client", "PlugTestingTests.Web.Client (tag \"fast\")"]
    for isForced in [true, false] {
      let error = #expect(throws: InjectorError.self) {
        try isForced ? scope.force("new", at: "Client") : scope.disable("new", at: "Client")
      }
      #expect(
        error?.description == """
          "new" at "Client" was refused: "Client" is a name of 2 services.
            injector:       forced/scope
            services:       \(names[0]), registered at Shop/Mail.swift:1
                            \(names[1]), registered at Shop/Web.swift:2
          To fix this:
            - Name the service with its module: "\(names[0])".
          """)
    }
    #expect(try [mail(), web()] == ["old", "old"])
    try scope.force("new", at: names[1])
    #expect(try [mail(), web()] == ["old", "new"])
    try scope.disable("old", at: names[0])
    #expect(try [mail(), web()] == ["new", "new"])
    try scope.disable("new", at: "Client (tag \"fast\")")
    #expect(try [mail(), web()] == ["new", "old"])
    try injector.force("old", at: "Client")
    #expect(try [mail(), web()] == ["old", "old"])
  }
}
