import Plug
import PlugTesting
import Synchronization
import Testing

private struct Outer: Sendable { let inner: Inner }
private struct Inner: Sendable {}
private struct Rates: Sendable {}
private protocol Weather: Sendable {}
private struct Forecast: Sendable { let weather: any Weather }
private struct Radar: Sendable { let weather: any Weather }
private struct Screen: Sendable { @Injected(.services) var weather: any Weather }

extension Injector.Name { fileprivate static let services: Self = "services of the guide on checking" }

@Suite("The guide Checking the graph", .serialized)
struct CheckingTheGraphGuideTests {
  private func makeServices() throws -> Injector {
    let services = Injector("shop")
    try services.register(wiring: Outer.init)
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
           at \(#fileID):20
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

  @Test("A test that makes everything reports each of them, and what was not declared")
  func unseen() async throws {
    let services = Injector(.services)
    try services.register { Screen() }  // with an @Injected property
    try services.register { Forecast(weather: try services.get()) }
    try services.register { Radar(weather: try Injector[.services].get()) }
    try services.seal(strict: true)
    let count = Mutex(0)
    await withKnownIssue {
      await expectComplete(services)
    } matching: { _ in
      count.withLock { $0 += 1 }
      return true
    }
    #expect(count.withLock { $0 } == 4)
  }
}
