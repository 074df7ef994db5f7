import Plug
import PlugKeys
import TestSupport
import Testing

/// The first steps of a newcomer, and their results.
@Suite("The first hour")
struct FirstHourTests {
  private protocol Greeter: Sendable { var greeting: String { get } }

  private struct English: Greeter {
    var greeting: String { "Hello" }
  }

  private struct Polite: Greeter {
    let inner: any Greeter
    var greeting: String { inner.greeting + ", Sir" }
  }

  private struct Visitor: Sendable {
    let isAdmin: Bool
    let visits: Int
  }

  @Test("An injector is registered and sealed in one expression")
  func oneExpression() throws {
    let app = Injector { app in
      try app.register(as: (any Greeter).self) { English() }
    }
    #expect(app.isSealed)
    #expect(try app.get((any Greeter).self).greeting == "Hello")
  }

  @Test("An injector that refuses a registration ends the program with the diagnosis")
  func refusedRegistration() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Injector("app") { app in
        try app.register { 1 }
        try app.register { 2 }
      }
    }
    let text = try message(of: result, lines: 11)
    #expect(
      text == """
        PlugTests/FirstHourTests.swift:36: Fatal error: Injector("app") cannot be set up.
        register(Int.self) was refused: Int is already registered.
          service:        Int
          injector:       app
          registered at:  PlugTests/FirstHourTests.swift:36
          refused at:     PlugTests/FirstHourTests.swift:36
        To fix this:
          - Remove one of the two registrations, or give one of them a tag: tag: "…".
          - Or make one of them a candidate that a rule selects: \
        try Injector["app"].contribute(Int.self, …, when: …).
          - Or keep both, for getAll, and register each so: try Injector["app"].contribute(Int.self, …).
          - Or unregister the first, or create the injector with allowRewrite: true.
        """)
  }

  @Test("An injector that misses a service ends the program with the report")
  func missingService() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Injector("app") { app in
        try app.register(injectable: .lazySingleton(wiring: Polite.init))
      }
    }
    let text = try message(of: result, lines: 5)
    #expect(
      text == """
        PlugTests/FirstHourTests.swift:62: Fatal error: Injector("app") cannot be set up.
        Injector "app" is not valid: 1 problem in 1 service.
        1. Greeter is not registered, but is needed by Polite.
           at PlugTests/FirstHourTests.swift:62
           Register it, or remove the services that need it.
        """)
  }

  @Test("An injector whose set-up throws another error ends the program with that error")
  func ownError() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Injector("app") { _ in throw CancellationError() }
    }
    let text = try message(of: result, lines: 2)
    #expect(
      text == """
        PlugTests/FirstHourTests.swift:80: Fatal error: Injector("app") cannot be set up.
        CancellationError()
        """)
  }

  @Test("Sealing reports which services it could not check")
  func opaqueServices() throws {
    let services = Injector()
    try services.register(as: (any Greeter).self) { English() }
    try services.register { try Polite(inner: $0.get()) }
    #expect(try services.seal().opaque == ["Polite"])
    #expect(try services.seal().opaque == ["Polite"])
  }

  @Test("A candidate is restricted by a property, and by a custom condition")
  func conditions() throws {
    let services = Injector()
    try services.register(
      PluginPoint<String, Visitor>("page") {
        Candidate("admin") { "admin" }.when(.is(\.isAdmin))
        Candidate("regular") { "regular" }.when { $0.visits > 10 }
        Candidate("welcome") { "welcome" }
      })
    let visitors = [
      Visitor(isAdmin: true, visits: 11), Visitor(isAdmin: false, visits: 11), Visitor(isAdmin: false, visits: 1),
    ]
    #expect(try visitors.map { try services.get(String.self, in: $0) } == ["admin", "regular", "welcome"])
    let text = try "\(services.explain(String.self, in: visitors[2]))"
    #expect(
      text == """
        String in Visitor: 1 of 3 apply, selected: welcome
          point page: open
            admin: ruled out
              - isAdmin == true: false
            regular: ruled out
              - the condition at PlugTests/FirstHourTests.swift:106
            welcome: selected
        """)
  }

  @Test("The closure of a candidate without an injector depends on nothing")
  func candidatesOfNothing() throws {
    let services = Injector()
    try services.register(PluginPoint<String, Visitor>("page") { Candidate("welcome") { "welcome" } })
    try services.contribute(Int.self, .lazySingleton { 1 }, id: "one")
    #expect(try services.seal(strict: true).opaque == [])
  }
}

extension Injector {
  fileprivate var clock: Provider<String> { provide { "now" } }
  fileprivate var watch: Provider<[String]> { provide { [$0.clock()] } }
}

extension FirstHourTests {
  @Test("A provider is declared by a closure")
  func providers() throws {
    #expect(Injector().clock() == "now")
    #expect(Injector().watch() == ["now"])
  }
}

extension FirstHourTests {
  @Test("A service is registered without the labels")
  func unlabelled() throws {
    let services = Injector(allowRewrite: true)
    func greeting() throws -> String { try services.get((any Greeter).self).greeting }
    try services.register((any Greeter).self) { English() }
    #expect(try greeting() == "Hello")
    try services.register((any Greeter).self) { Polite(inner: try $0.get((any Greeter).self, tag: "inner")) }
    try services.register(as: (any Greeter).self, tag: "inner", .lazySingleton { English() })
    #expect(try greeting() == "Hello, Sir")
    try services.register((any Greeter).self, .singleton(English()))
    #expect(try greeting() == "Hello")
  }

  @Test("A registration without the labels records its location")
  func placeOfUnlabelled() throws {
    let services = Injector()
    try services.register(String.self, tag: "1", fileID: "Shop/A.swift", line: 1) { "" }
    try services.register(String.self, tag: "2", fileID: "Shop/A.swift", line: 2) { _ in "" }
    try services.register(String.self, tag: "3", .singleton(""), fileID: "Shop/A.swift", line: 3)
    try services.register(as: String.self, tag: "4", .singleton(""), fileID: "Shop/A.swift", line: 4)
    let places = ["1", "2", "3", "4"].map { (tag: String) in
      #expect(throws: InjectorError.self) {
        try services.register(String.self, tag: Injector.Tag(rawValue: tag)) { "" }
      }
      .map { "\($0)".split(separator: "registered at:")[1].split(separator: "\n")[0] }
    }
    #expect(
      places == [
        "  Shop/A.swift:1", "  Shop/A.swift:2", "  Shop/A.swift:3", "  Shop/A.swift:4",
      ])
  }
}
