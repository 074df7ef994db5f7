import TestSupport
import Testing

@testable import Plug
@testable import PlugOperations

private struct Rates: Sendable {}

private struct Tariff: Sendable {
  let rates: Rates
}

private final class Basket: Sendable {
  init(tariff: Tariff) {}
}

private protocol Search: Sendable {}
private struct Catalogue: Search {}

@Suite("A complete validation", .serialized)
struct CompleteValidationTests {
  let injector = Injector("shop").recordDependencies()

  private func register<Service: Sendable>(_ injection: Injection<Service>, line: Int) throws {
    try injector.register(injectable: injection, fileID: "Shop/Services.swift", line: line)
  }

  /// Everything that hides something, beside what hides nothing.
  private func registerAll() throws {
    try register(.lazySingleton { _ in Rates() }, line: 1)
    try register(.factory(wiring: Tariff.init).configure { _, injector in _ = try injector.get(Rates.self) }, line: 2)
    try register(.lazySingleton(wiring: Basket.init), line: 3)
    try register(.singleton(7), line: 4)
    try register(.lazySingleton { injector in "\(try injector.get(Int.self))" }.depends(on: Int.self), line: 5)
    try injector.register(
      PluginPoint<any Search, Injector>("search", fileID: "Shop/Search.swift", line: 6) {
        Candidate("closure", fileID: "Shop/Search.swift", line: 7) { _ in Catalogue() }
          .when(Rule("is open") { _ in true })
        Candidate("wired", .factory(wiring: Catalogue.init), fileID: "Shop/Search.swift", line: 8)
      })
    try injector.decorate(Basket.self, id: "logging") { inner, _ in inner }
    try injector.register(
      Double.self, taking: Int.self, Bool.self, fileID: "Shop/Services.swift", line: 9
    ) { number, _, _ in Double(number) }
    try injector.register(Double.self, taking: Int.self, dependsOn: [Int.self]) { number, injector in
      Double(try injector.get(Int.self) + number)
    }
  }

  private let report = """
    Injector "shop" is not valid: 5 problems in 8 services.
    1. The dependencies of Basket are hidden in the decorator logging.
       at Shop/Services.swift:3
       Declare all that it and its closures ask for: .depends(on: …).
    2. The dependencies of Double(Int, Bool) are hidden in its closure with arguments.
       at Shop/Services.swift:9
       Declare what its closure asks for: register(…, dependsOn: […]).
    3. The dependencies of Rates are hidden in its closure.
       at Shop/Services.swift:1
       Use wiring:, or declare what it asks for: .depends(on: …), or .dependsOnNothing for nothing.
    4. The dependencies of Search [closure] are hidden in its closure.
       at Shop/Search.swift:7
       Use wiring:, or declare what it asks for: .depends(on: …), or .dependsOnNothing for nothing.
    5. The dependencies of Tariff are hidden in its configure closure.
       at Shop/Services.swift:2
       Declare all that it and its closures ask for: .depends(on: …).
    """

  @Test("reports each closure with hidden dependencies, with its location and a fix")
  func hidden() throws {
    try registerAll()
    #expect(
      try injector.validate().opaque == ["Basket", "Double(Int, Bool)", "Rates", "Search [closure]", "Tariff"])
    let error = #expect(throws: InjectorError.self) { try injector.validate(strict: true) }
    #expect(error?.description == report)
  }

  @Test("must pass before an injector can be sealed with strict: true")
  func sealing() throws {
    try registerAll()
    let error = #expect(throws: InjectorError.self) { try injector.seal(strict: true) }
    #expect(error?.description == report)
    #expect(!injector.isSealed)
    _ = try (injector.get(Basket.self), injector.getAll((any Search).self), injector.get(Double.self, with: 1, true))
    try injector.seal(strict: true)
    #expect(injector.isSealed)
  }

  @Test("names all closures of a service that hide dependencies")
  func several() throws {
    try register(.lazySingleton { _ in Rates() }.configure { _, _ in }, line: 1)
    try injector.decorate(Rates.self, id: "logging") { inner, _ in inner }
    let error = #expect(throws: InjectorError.self) { try injector.validate(strict: true) }
    #expect(
      error?.description == """
        Injector "shop" is not valid: 1 problem in 1 service.
        1. The dependencies of Rates are hidden in its closure and its configure closure and the decorator logging.
           at Shop/Services.swift:1
           Declare all that it and its closures ask for: .depends(on: …).
        """)
  }

  @Test("accepts services that are wired, declared or handed in, and constructs nothing")
  func complete() throws {
    let constructed = Counter()
    try register(
      .lazySingleton {
        constructed.increment()
        return Rates()
      }.dependsOnNothing, line: 1)
    try register(.factory(wiring: Tariff.init), line: 2)
    try register(.singleton(7), line: 3)
    try injector.seal(strict: true)
    #expect(constructed.value == 0)
  }

  @Test("knows the declared and the recorded dependencies of a closure with arguments")
  func arguments() throws {
    try injector.register(
      Double.self, taking: Int.self, dependsOn: [Rates.self], fileID: "Shop/Services.swift", line: 1
    ) { number, injector in
      Double(number + (try injector.get(Int.self)))
    }
    try injector.register(injectable: .singleton(7))
    let missing = #expect(throws: InjectorError.self) { try injector.validate(strict: true) }
    #expect(
      missing?.description == """
        Injector "shop" is not valid: 1 problem in 2 services.
        1. Rates is not registered, but is needed by Double(Int).
           at Shop/Services.swift:1
           Register it, or remove the services that need it.
        """)
    try injector.register(injectable: .singleton(Rates()))
    try injector.validate(strict: true)
    #expect(try injector.get(Double.self, with: 1) == 8)
    try injector.validate(strict: true)
    #expect(
      injector.audit().description == """
        Injector "shop" has 1 finding in 3 services.
        1. Double(Int) asked for Int, which it does not declare.
           at Shop/Services.swift:1
           Add it to depends(on:).
        """)
  }
}
