import Plug
import PlugOperations
import Testing

private struct Outer: Sendable { let inner: Inner }
private struct Inner: Sendable {}
private struct Rates: Sendable {}

/// What the guide prints, with the same time for all.
private func text(_ event: Injector.Event) -> String {
  "\(event)".replacing(#/in \S+ seconds/#, with: "in 1.2e-05 seconds")
}

@Suite("The guide Checking and drawing the graph")
struct CheckingTheGraphGuideTests {
  private func makeServices() throws -> Injector {
    let services = Injector("shop")
    try services.register(injectable: .lazySingleton(wiring: Outer.init))
    return services
  }

  @Test("A test of one line finds what is missing")
  func validating() throws {
    let error = #expect(throws: InjectorError.self) {
      try makeServices().validate()
    }
    #expect(
      error?.description == """
        Injector "shop" is not valid: 1 problem in 1 service.
        1. Inner is not registered, but is needed by Outer.
           at \(#fileID):18
           Register it, or remove what needs it.
        """)
  }

  @Test("Sealing completely refuses a closure that hides what it needs")
  func sealing() throws {
    let services = Injector("shop")
    try services.register { _ in Rates() }
    let line = #line - 1
    let error = #expect(throws: InjectorError.self) {
      try services.seal(.complete)
    }
    #expect(
      error?.description == """
        Injector "shop" is not valid: 1 problem in 1 service.
        1. The dependencies of Rates are hidden in its closure.
           at \(#fileID):\(line)
           Use wiring:, or declare what it asks for: .depends(on: …), or .depends() for nothing.
        """)
  }

  @Test("A tracer prints each construction with its chain")
  func tracing() throws {
    let (services, log) = (Injector("shop"), Log())
    try services.register(injectable: .lazySingleton(wiring: Outer.init))
    try services.register(injectable: .lazySingleton(wiring: Inner.init))
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
