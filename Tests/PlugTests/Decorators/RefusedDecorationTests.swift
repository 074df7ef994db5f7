import Plug
import TestSupport
import Testing

@Suite("Refused decorators")
struct RefusedDecorationTests {
  let injector = Injector()

  @Test("leave a service unchanged if an instance for one of its argument lists is in use")
  func partlyInUse() throws {
    try injector.register(as: String.self) { "plain" }
    try injector.register(String.self, taking: Bool.self) { flag, _ in "\(flag)" }
    try injector.register(String.self, taking: Int.self, lifetime: .lazySingleton) { number, _ in "\(number)" }
    _ = try injector.get(String.self, with: 1)
    let error = #expect(throws: InjectorError.self) { try injector.decorate(String.self) { inner, _ in "(\(inner))" } }
    guard case .instanceExists = try #require(error) else { throw try #require(error) }
    #expect(
      try [injector.get(), injector.get(with: true), injector.get(with: 1), injector.get(with: 2)]
        == ["plain", "true", "1", "2"])
  }

  @Test("leave a service that a scope has failed to make ready for the next request")
  func failedInScope() throws {
    struct Boom: Error {}
    try injector.register(as: String.self) { throw Boom() }
    let scope = injector.makeScope()
    try scope.decorate(String.self) { inner, _ in inner }
    #expect(throws: InjectorError.self) { try scope.get(String.self) }
    try? injector.decorate(String.self) { inner, _ in inner }
    let error = #expect(throws: InjectorError.self) { try injector.get(String.self) }
    guard case .constructionFailed = try #require(error) else { throw try #require(error) }
  }

  @Test("throw in a scope that has made an inherited service from arguments")
  func inheritedWithArguments() throws {
    try injector.register(String.self, taking: Int.self, lifetime: .lazySingleton) { number, _ in "\(number)" }
    let scope = injector.makeScope()
    try scope.decorate(String.self) { inner, _ in "1(\(inner))" }
    #expect(try scope.get(String.self, with: 1) == "1(1)")
    let error = #expect(throws: InjectorError.self) { try scope.decorate(String.self) { inner, _ in "2(\(inner))" } }
    guard case .instanceExists = try #require(error) else { throw try #require(error) }
    #expect(try [scope.get(with: 1), scope.get(with: 2), injector.get(with: 1)] == ["1(1)", "1(2)", "1"])
  }

  @Test("name a service that is registered in no parent of a scope")
  func missing() throws {
    let scope = Injector("app").makeScope("request")
    #expect(
      text { () throws(InjectorError) in try scope.decorate(String.self) { inner, _ in inner } } == """
        decorate(String.self) was refused: nothing is registered for String.
          service:        String
          injector:       app/request
        To fix this:
          - Register it first, in this scope or in a parent.
        """)
    try scope.register(as: String.self) { "own" }
    try scope.decorate(String.self) { inner, _ in inner + "!" }
    #expect(try scope.get(String.self) == "own!")
  }

  @Test("name the injector whose point a scope inherits")
  func inheritedPoint() throws {
    let app = Injector("app")
    try app.register(
      PluginPoint<String, Int>("words", fileID: "Shop/Main.swift", line: 3) { Candidate("one") { "one" } })
    let scope = app.makeScope("session").makeScope("request")
    #expect(
      text { () throws(InjectorError) in try scope.decorate(String.self) { inner, _ in inner } } == """
        decorate(String.self) was refused: String is a point of a parent.
          service:        String
          injector:       app/session/request
          registered at:  Shop/Main.swift:3
        To fix this:
          - Decorate it where it is registered, in app.
        """)
    try app.decorate(String.self) { inner, _ in inner + "!" }
    #expect(try scope.get(String.self, in: 1) == "one!")
  }

  @Test("name a service that each scope registers itself")
  func placeholder() throws {
    let app = Injector("app")
    try app.register(as: String.self, injectable: .providedByScope, fileID: "Shop/Main.swift", line: 3)
    let scope = app.makeScope("request")
    for injector in [app, scope] {
      #expect(
        text { () throws(InjectorError) in try injector.decorate(String.self) { inner, _ in inner } } == """
          decorate(String.self) was refused: each scope registers its own String.
            service:        String
            injector:       \(injector === app ? "app" : "app/request")
            declared at:    Shop/Main.swift:3
          To fix this:
            - Decorate it in a scope that has registered it.
          """)
    }
    try scope.register(as: String.self) { "own" }
    try scope.decorate(String.self) { inner, _ in inner + "!" }
    #expect(try scope.get(String.self) == "own!")
  }

  @Test("name the service from which requests make a collection or an optional")
  func derived() throws {
    let app = Injector("app")
    try app.register(as: (any Networking).self, fileID: "Shop/Main.swift", line: 3) { HTTPNetworking() }
    #expect(
      text { () throws(InjectorError) in try app.decorate([any Networking].self) { inner, _ in inner } } == """
        decorate(Array<Networking>.self) was refused: nothing is registered for Array<Networking>.
          service:        Array<Networking>
          injector:       app
          nearest:        Networking, registered at Shop/Main.swift:3
        To fix this:
          - Decorate (any Networking).self, from which requests make it.
          - Or register it first.
        """)
    #expect(throws: InjectorError.self) { try app.decorate((any Networking)?.self) { inner, _ in inner } }
    #expect(throws: InjectorError.self) { try app.decorate([String: any Networking].self) { inner, _ in inner } }
    try app.register(as: [Int].self, injectable: .singleton([1]))
    try app.decorate([Int].self) { inner, _ in inner + [2] }
    #expect(try app.get([Int].self) == [1, 2])
  }

  @Test("change nothing, and leave the scope to be closed with its parent")
  func closed() throws {
    let app = Injector("app")
    let scope = app.makeScope()
    app.closeNow()
    let error = #expect(throws: InjectorError.self) { try scope.decorate(String.self) { inner, _ in inner } }
    guard case .closed = try #require(error) else { throw try #require(error) }
  }

  private func text(_ body: () throws(InjectorError) -> Void) -> String {
    do throws(InjectorError) {
      try body()
      return "none"
    } catch {
      return error.description
    }
  }
}
