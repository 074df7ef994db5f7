import Plug
import PlugOperations
import Testing

private struct Outer: Sendable { let inner: Inner }
private struct Inner: Sendable {}

private protocol Payments: Sendable {}
private struct Card: Payments {}
private struct Cash: Payments {
  let outer: Outer
}
private struct Checkout: Sendable { let payments: any Payments }

/// What the guide prints, with the same time for all.
private func text(_ event: Injector.Event) -> String {
  "\(event)".replacing(#/in \S+ seconds/#, with: "in 1.2e-05 seconds")
}

@Suite("The guide Drawing the graph, and tracing requests")
struct DrawingTheGraphGuideTests {
  @Test("The graph prints as a tree")
  func drawing() throws {
    let (services, log) = (Injector("shop"), Log())
    try services.register(wiring: Checkout.init)
    try services.register(
      PluginPoint<any Payments, Injector>("payments") {
        Candidate("card") { Card() }
        Candidate("cash", .factory { Cash(outer: try $0.get()) })
      })
    _ = try services.get((any Payments).self)
    func print(_ graph: DependencyGraph) { log.add("\(graph)") }
    print(services.graph())
    #expect(
      log.lines == [
        """
        Checkout (lazySingleton)
          Payments: one of 2
            [card] (lazySingleton, constructed)
            [cash] (factory, opaque)
        """
      ])
  }

  @Test("What a closure asked for is known if it was recorded")
  func recording() async throws {
    let services = Injector("shop")
    try services.register(.lazySingleton { try Outer(inner: $0.get()) }.eager())
    try services.register(wiring: Inner.init)
    #expect(throws: InjectorError.self) { try services.validate(strict: true) }
    services.recordDependencies()
    try await services.start()
    try services.validate(strict: true)
  }

  @Test("An audit names what nothing has requested")
  func auditing() async throws {
    let (services, log) = (Injector("shop"), Log())
    func print(_ report: AuditReport) { log.add("\(report)") }
    services.recordDependencies()
    try services.register(fileID: "Shop/Services.swift", line: 3) { Inner() }
    print(services.audit())
    #expect(
      log.lines == [
        """
        Injector "shop" has 1 finding in 1 service.
        1. Inner is not used: nothing has requested it since recording began.
           at Shop/Services.swift:3
           Remove it, or request it in the test that audits.
        """
      ])
  }

  @Test("A tracer prints each construction with its chain")
  func tracing() throws {
    let (services, log) = (Injector("shop"), Log())
    try services.register(wiring: Outer.init)
    try services.register(wiring: Inner.init)
    @Sendable func print(_ event: Injector.Event) {
      log.add(text(event))
    }
    services.tracer = { event in print(event) }
    _ = try services.get(Outer.self)
    #expect(
      log.lines == [
        "constructed Inner in 1.2e-05 seconds (Outer → Inner)",
        "resolved Inner (Outer → Inner)",
        "constructed Outer in 1.2e-05 seconds",
        "resolved Outer",
      ])
  }
}
