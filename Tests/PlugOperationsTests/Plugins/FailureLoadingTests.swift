import TestSupport
import Testing

@testable import Plug
@testable import PlugOperations

@Suite("A candidate that fails while it is loaded")
struct FailureLoadingTests {
  @Test("is passed over, and its failure counts once for all waiting callers")
  func loading() async throws {
    let (services, fault, clock, latch) = (Injector("services"), Fault(), TestClock(), Latch())
    let policy = FailurePolicy.quarantine(after: 2, for: .seconds(60), clock: clock)
    try services.register(
      failingPoint(fault, policy) { fault in
        .lazySingleton { () async throws -> String in
          await latch.wait()
          return try fault.make("semantic")
        }
      })
    async let first = services.load(String.self)
    async let second = services.load(String.self)
    latch.open()
    #expect(try await [first, second] == ["catalogue", "catalogue"])
    #expect(fault.tries <= 2)
    while fault.tries < 2 { #expect(try await services.load(String.self) == "catalogue") }
    #expect(try await services.load(String.self) == "catalogue")
    clock.advance(by: .seconds(60))
    fault.isOn = false
    #expect(try await services.load(String.self) == "semantic")
    #expect(try services.get(String.self) == "semantic")
  }

  @Test("is quarantined when the injector starts, and the start goes on without it")
  func starting() async throws {
    let (services, fault, clock) = (Injector("services"), Fault(), TestClock())
    let policy = FailurePolicy.quarantine(after: 1, for: .seconds(60), clock: clock)
    try services.register(
      failingPoint(fault, policy) { fault in .lazySingleton { () async throws -> String in try fault.make("semantic") }
      })
    try services.register(injectable: Injection<Int>.lazySingleton { 1 }.eager())
    try await services.start()
    #expect(try services.semantic().verdict == .quarantined)
    #expect(try services.get(String.self) == "catalogue")
    try await services.start()
    #expect(fault.tries == 1)
    clock.advance(by: .seconds(60))
    fault.isOn = false
    try await services.start()
    #expect(try services.get(String.self) == "semantic")
  }

  @Test("gives way to the next candidate if a dependency fails to load")
  func loadedDependency() async throws {
    let (services, fault) = (Injector("services"), Fault())
    try services.register(injectable: Injection<Int>.lazySingleton { () async throws -> Int in throw Boom() })
    try services.register(
      failingPoint(fault, .skip) { _ in .lazySingleton { services in "\(try services.get(Int.self))" } })
    #expect(try await services.load(String.self) == "catalogue")
    #expect(
      try services.semantic().failure?.error == "Int could not be made: boom")
    await #expect(throws: InjectorError.self) { try await services.load(Int.self) }
  }

  @Test("is tried again if its trial request ended with the error of another service")
  func interruptedTrial() async throws {
    let (services, fault, clock) = (Injector("services"), Fault(), TestClock())
    let policy = FailurePolicy.quarantine(after: 1, for: .seconds(60), clock: clock)
    try services.register(
      failingPoint(fault, policy) { fault in
        .lazySingleton { () async throws -> String in try fault.make("semantic") }
      })
    try services.register(injectable: Injection<Double>.lazySingleton { () async throws -> Double in throw Boom() })
    try services.register(
      injectable: Injection<Int>.lazySingleton { services in
        _ = try? services.get(String.self)
        return Int(try services.get(Double.self))
      })
    #expect(try await services.load(String.self) == "catalogue")
    clock.advance(by: .seconds(60))
    fault.isOn = false
    await #expect(throws: InjectorError.self) { try await services.load(Int.self) }
    #expect(try await services.load(String.self) == "semantic")
  }

  @Test("throws its error, also from start(), if it is a plain registration")
  func plainRegistration() async throws {
    let services = Injector("services")
    try services.register(
      injectable: Injection<String>.lazySingleton { () async throws -> String in throw Boom() }.onFailure(.skip))
    await #expect(throws: InjectorError.self) { try await services.start() }
    await #expect(throws: InjectorError.self) { try await services.load(String.self) }
  }
}
