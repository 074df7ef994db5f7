import Plug
import PlugOperations
import TestSupport
import Testing

@Suite("An asynchronous candidate that fails")
struct AsynchronousFailureTests {
  @Test("is not quarantined if a success interrupts its failures")
  func interrupted() async throws {
    let (services, fault) = (Injector("services"), Fault())
    try services.register(
      failingPoint(fault, .quarantine(after: 2, for: .seconds(60), clock: TestClock())) { fault in
        .lazySingleton { () async throws -> String in try fault.make("semantic") }
      })
    #expect(try await services.load(String.self) == "catalogue")
    #expect(services.report().failing.map(\.failure.count) == [1])
    fault.isOn = false
    #expect(try await services.load(String.self) == "semantic")
    #expect(services.report().failing.isEmpty)
    services.reset()
    fault.isOn = true
    #expect(try await services.load(String.self) == "catalogue")
    #expect(services.report().failing.map(\.isQuarantined) == [false])
    #expect(services.report().failing.map(\.failure.count) == [1])
  }
}
