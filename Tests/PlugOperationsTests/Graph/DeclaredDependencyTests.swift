import PlugKeys
import Synchronization
import TestSupport
import Testing

@testable import Plug
@testable import PlugOperations

private struct Rates: Sendable {}
private struct Clock: Sendable {}

private struct Tariff: Sendable {
  init(_ injector: Injector) throws {
    _ = (try injector.get(Rates.self, tag: "replica"), try injector.get(Clock.self))
  }
}

@Suite("The declared dependencies of an injection", .serialized)
struct DeclaredDependencyTests {
  let injector = Injector("shop").recordDependencies()

  @Test("can have tags, and accumulate over several calls")
  func tags() throws {
    try injector.register(
      as: Tariff.self,
      injectable: .lazySingleton { try Tariff($0) }.depends(on: Rates.self, tag: "replica").depends(on: Clock.self),
      fileID: "Shop/Services.swift", line: 1)
    try injector.register { _ in Rates() }
    let error = #expect(throws: InjectorError.self) { try injector.validate() }
    #expect(
      error?.description == """
        Injector "shop" is not valid: 2 problems in 2 services.
        1. Clock is not registered, but is needed by Tariff.
           at Shop/Services.swift:1
           Register it, or remove the services that need it.
        2. Rates (tag "replica") is not registered, but is needed by Tariff.
           at Shop/Services.swift:1
           Register it, or remove the services that need it.
        opaque until they run, because they declare no dependencies: Rates
        """)
    try injector.register { Clock() }
    try injector.register(tag: "replica") { Rates() }
    _ = try injector.get(Tariff.self)
    try injector.seal()
  }

  @Test("do not cover a tagged service if they name the type without the tag")
  func untagged() throws {
    try injector.register(
      as: Tariff.self, injectable: .lazySingleton { try Tariff($0) }.depends(on: Rates.self, Clock.self))
    try injector.register { Rates() }
    try injector.register { Clock() }
    try injector.register(tag: "replica") { Rates() }
    try injector.validate()
    _ = try injector.get(Tariff.self)
    let undeclared = injector.audit().findings.filter { $0.kind == .undeclared }
    #expect(undeclared.map(\.details) == [[#"Rates (tag "replica")"#]])
  }

  @Test("are compared with the requests of the first hundred runs")
  func runs() throws {
    let count = Mutex(0)
    let injector = Injector("shop").recordDependencies()
    try injector.register { Rates() }
    try injector.register { Clock() }
    try injector.register(
      as: String.self,
      injectable: .factory { injector in
        let run = count.withLock { count in
          count += 1
          return count
        }
        if run == 100 { _ = try injector.get(Clock.self) }
        if run == 101 { _ = try injector.get(Rates.self) }
        return "\(run)"
      }.dependsOnNothing)
    for _ in 0..<99 { _ = try injector.get(String.self) }
    var undeclared: [[String]] { injector.audit().findings.filter { $0.kind == .undeclared }.map(\.details) }
    #expect(undeclared == [])
    #expect(try injector.get(String.self) == "100")
    #expect(try injector.get(String.self) == "101")
    #expect(undeclared == [["Clock"]])
  }
}
