import Plug
import Testing

private struct Outer: Sendable { let inner: Inner }
private struct Inner: Sendable {}
private struct Rates: Sendable {}

@Suite("The guide Checking the graph")
struct CheckingTheGraphGuideTests {
  private func makeServices() throws -> Injector {
    let services = Injector("shop")
    try services.register(injectable: .lazySingleton(wiring: Outer.init))
    return services
  }

  @Test("A test of one line finds missing services")
  func validating() throws {
    let error = #expect(throws: InjectorError.self) {
      try makeServices().validate()
    }
    #expect(
      error?.description == """
        Injector "shop" is not valid: 1 problem in 1 service.
        1. Inner is not registered, but is needed by Outer.
           at \(#fileID):12
           Register it, or remove the services that need it.
        """)
  }

  @Test("Sealing completely refuses a closure that hides what it needs")
  func sealing() throws {
    let services = Injector("shop")
    try services.register { _ in Rates() }
    let line = #line - 1
    let error = #expect(throws: InjectorError.self) {
      try services.seal(strict: true)
    }
    #expect(
      error?.description == """
        Injector "shop" is not valid: 1 problem in 1 service.
        1. The dependencies of Rates are hidden in its closure.
           at \(#fileID):\(line)
           Use wiring:, or declare what it asks for: .depends(on: …), or .dependsOnNothing for nothing.
        """)
  }
}
