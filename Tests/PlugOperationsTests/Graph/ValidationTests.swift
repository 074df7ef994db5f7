import PlugOperations
import TestSupport
import Testing

@testable import Plug

private struct Payments: Sendable {}
private struct Basket: Sendable {
  let payments: Payments
}
private final class Chicken: Sendable {
  let egg = Setting<Egg>()

  init() {}

  init(egg: Egg) {
    self.egg.set(egg)
  }
}
private final class Egg: Sendable {
  init(nest: Nest) {}
}
private struct Nest: Sendable {
  let chicken: Chicken
}
private struct Visitor: Sendable {}
private struct Greeting: Sendable {
  let visitor: Visitor
}
private final class Statistics: Sendable {
  init(greeting: Greeting) {}
}
private final class Banner: Sendable {
  init(search: any Networking) {}
}

private struct Season: Sendable {
  let isWarm: Bool
}

@Suite("Validation", .serialized)
struct ValidationTests {
  private func register<Service: Sendable>(
    _ injection: Injection<Service>, line: Int, in injector: Injector
  ) throws {
    try injector.register(injectable: injection, fileID: "Shop/Services.swift", line: line)
  }

  @Test("and a request for the type Injector fail with different errors if the injector is closed")
  func injectorAsService() throws {
    let (injector, other) = (Injector("app"), Injector("other"))
    other.closeNow()
    try injector.register { _ in "\(try other.get(Injector.self))" }
    let error = #expect(throws: InjectorError.self) { try injector.get(String.self, fileID: "App/Main.swift", line: 1) }
    #expect(
      error?.description == """
        Injector cannot be resolved or registered: the injector is closed.
          service:        Injector
          injector:       other
          chain:          String → Injector
          asked at:       \(place(error))
        To fix this:
          - Get the services that you need before you close the injector, and keep no object that asks it later.
          - Or create another injector: this one stays closed.
        """)
  }

  @Test("is refused if the injector or its parent is closed, and so is sealing")
  func closed() throws {
    let injector = Injector("app")
    let scope = injector.makeScope("request")
    scope.closeNow()
    injector.closeNow()
    for closed in [injector, scope, injector.makeScope("late")] {
      for attempt in [{ _ = try closed.validate() }, { try closed.seal() }] as [() throws -> Void] {
        let error = #expect(throws: InjectorError.self, performing: attempt)
        guard case .closed(let facts) = error else { throw try #require(error) }
        #expect(
          error?.description == """
            Nothing can be resolved or registered: \(closed === injector ? "the injector" : "its parent, app,") is closed.
              injector:       \(facts.injector ?? "")
            To fix this:
              - Get the services that you need before you close the injector, and keep no object that asks it later.
              - Or create another injector: this one stays closed.
            """)
      }
      #expect(!closed.isSealed)
    }
  }

  @Test("reports all problems together, each with a fix")
  func fiveFaults() throws {
    let injector = Injector("shop").recordDependencies()
    try register(.lazySingleton(wiring: Basket.init), line: 1, in: injector)
    try register(.lazySingleton(wiring: Chicken.init(egg:)), line: 2, in: injector)
    try register(.lazySingleton(wiring: Egg.init), line: 3, in: injector)
    try register(.factory(wiring: Nest.init), line: 4, in: injector)
    try register(.scoped { _ in Visitor() }, line: 5, in: injector)
    try register(.factory(wiring: Greeting.init), line: 6, in: injector)
    try register(.lazySingleton(wiring: Statistics.init), line: 7, in: injector)
    try injector.register(
      PluginPoint<any Networking, Season>("search", fileID: "Shop/Search.swift", line: 8) {
        Candidate("off", fileID: "Shop/Search.swift", line: 9) { _ in Instance() }.when(.never)
        Candidate("on", fileID: "Shop/Search.swift", line: 10) { _ in Instance() }
        Candidate("late", fileID: "Shop/Search.swift", line: 11) { _ in Instance() }.when(Rule("is warm") { $0.isWarm })
      })
    try register(.lazySingleton(wiring: Banner.init), line: 12, in: injector)
    try register(.singleton(0.5), line: 13, in: injector)
    try register(.singleton("half"), line: 14, in: injector)
    try register(.lazySingleton { Int(try $0.get(Double.self)) }.depends(on: String.self), line: 15, in: injector)
    _ = try injector.get(Int.self)
    let error = #expect(throws: InjectorError.self) { try injector.validate() }
    #expect(
      error?.description == """
        Injector "shop" is not valid: 4 problems in 12 services.
        1. Payments is not registered, but is needed by Basket.
           at Shop/Services.swift:1
           Register it, or remove the services that need it.
        2. Chicken depends on itself: Chicken → Egg → Nest → Chicken.
           at Shop/Services.swift:2
           Get one of them in a configure closure of the other.
        3. Statistics would capture a shorter-lived service: Statistics (lazySingleton) → Greeting (factory) → Visitor (scoped).
           at Shop/Services.swift:7
           Make it scoped too, or let it get the service from a scope when it needs it.
        4. Networking is needed by Banner, but nothing provides the Season that chooses it.
           at Shop/Search.swift:8
           Register the context, or get the service with in: where you have one.
        opaque until they run, because they declare no dependencies: Networking [late], Networking [off], \
        Networking [on], Visitor
        """)
    #expect(throws: InjectorError.self) { try injector.seal() }
    #expect(!injector.isSealed)
    #expect(
      injector.audit().findings.map(\.kind).filter { $0 != .unused } == [.unreachable, .unreachable, .undeclared])
  }

  @Test("constructs nothing, and accepts services that fit together")
  func valid() throws {
    let constructed = Counter()
    let injector = Injector()
    let make: @Sendable (Payments) -> Basket = { payments in
      constructed.increment()
      return Basket(payments: payments)
    }
    try injector.register(injectable: .lazySingleton(wiring: make))
    try injector.register(injectable: .lazySingleton { Payments() }.dependsOnNothing)
    try injector.register(as: Egg.self) { injector in
      constructed.increment()
      return Egg(nest: try injector.get())
    }
    let report = try injector.validate()
    #expect(report.opaque == ["Egg"])
    #expect(
      report.description == """
        The injector is valid: 3 services.
        opaque until they run, because they declare no dependencies: Egg
        """)
    #expect(constructed.value == 0)
  }

  @Test("knows the dependencies of a closure after the closure has run")
  func recorded() throws {
    let injector = Injector(allowRewrite: true).recordDependencies()
    try injector.register { Basket(payments: try $0.get()) }
    try injector.register { _ in Payments() }
    #expect(try injector.validate().opaque == ["Basket", "Payments"])
    _ = try injector.get(Basket.self)
    #expect(try injector.validate().opaque == [])
    try injector.unregister(Payments.self)
    guard case .invalid(_, let report) = #expect(throws: InjectorError.self, performing: { try injector.validate() })
    else { return }
    #expect(report.problems.map(\.kind) == [.missing] && report.problems[0].details == ["Basket"])
  }

  @Test("does not require a service that a closure requests as an optional or in a collection")
  func optional() throws {
    let injector = Injector()
    try injector.register { injector in "\(injector[Int.self] ?? 0), \(try injector.getAll(Double.self))" }
    #expect(try injector.get(String.self) == "0, []")
    try injector.validate()
  }

  @Test("accepts services that refer to each other in configure closures")
  func configured() throws {
    let injector = Injector()
    try injector.register(
      as: Chicken.self,
      injectable: .lazySingleton(wiring: Chicken.init(egg:)).configure { _, injector in _ = try injector.get(Egg.self) }
    )
    try injector.register(
      as: Egg.self, injectable: .lazySingleton { Egg(nest: Nest(chicken: try $0.get())) }.depends(on: Chicken.self))
    #expect(throws: InjectorError.self) { try injector.validate() }
    try injector.unregister(Chicken.self)
    try injector.register(
      as: Chicken.self, injectable: .lazySingleton { Chicken() }.configure { $0.egg.set(try $1.get()) })
    _ = try injector.get(Egg.self)
    try injector.seal()
  }

  @Test("of a scope checks the services that the scope adds, replaces and inherits")
  func scopes() throws {
    let injector = Injector("app")
    try injector.register(as: Visitor.self, injectable: .providedByScope)
    try injector.register(injectable: .scoped(wiring: Greeting.init))
    try injector.seal()
    let scope = try injector.makeScope("session") {
      try $0.register(injectable: .lazySingleton(wiring: Statistics.init))
      try $0.register(injectable: .singleton(Visitor()))
    }
    let report = try scope.validate()
    #expect(report.serviceCount == 3 && report.injector == "app/session")
    _ = try scope.get(Statistics.self)
    let inner = try scope.makeScope("inner") { try $0.register(injectable: .lazySingleton(wiring: Basket.init)) }
    guard case .invalid(_, let problems) = #expect(throws: InjectorError.self, performing: { try inner.seal() }) else {
      return
    }
    #expect(problems.problems.map(\.subject) == ["Payments"])
  }

  @Test("gives equal reports of equal injectors, whatever the order of registration")
  func equalReports() throws {
    func report(_ numbers: [Int]) throws -> ValidationReport {
      let injector = Injector("shop")
      for number in numbers {
        try injector.register(tag: "\(number)", injectable: .lazySingleton { Greeting(visitor: try $0.get()) })
      }
      try injector.register(injectable: .singleton(Visitor()))
      return try injector.validate()
    }
    let (first, second) = (try report(Array(0..<40)), try report((0..<40).reversed()))
    #expect(first == second)
    #expect(first.hashValue == second.hashValue)
    #expect(first.opaque.count == 40)
  }

  @Test("accepts candidates with a context that nothing provides, if nothing needs them")
  func contexts() throws {
    let injector = Injector()
    try injector.register(
      PluginPoint<Int, Season>("numbers") { Candidate("one", .singleton(1)).when(Rule("is warm") { $0.isWarm }) })
    #expect(try injector.validate().description == "The injector is valid: 1 service.")
  }
}
