import Plug
import PlugTesting
import TestSupport
import Testing

private protocol Weather: Sendable {}
private struct Live: Weather {}
private struct Fixed: Weather {}

@Suite("An override that may have no effect")
struct FutileOverrideTests {
  private let injector = Injector("services")

  init() throws { try injector.register(as: (any Weather).self) { Live() } }

  @Test("is an issue that names the registered protocol if it overrides only its own type and is never used")
  func mistaken() async throws {
    let line = #line + 3
    let issues = try await issues {
      try withIsolatedInjectors {
        try injector.override(injectable: .singleton(Fixed()))
        _ = try injector.get((any Weather).self)
      }
    }
    #expect(
      issues == [
        """
        The override of Fixed was never used; Weather is registered as (any Weather).
          injector:       services
          overridden at:  PlugTestingTests/FutileOverrideTests.swift:\(line)
        To fix this:
          - Name the service that it stands for: override((any Weather).self, …).
          - Or remove it.
        """
      ])
  }

  @Test("is no issue if it replaces a registration or is used")
  func meant() async throws {
    let issues = try await issues {
      try withIsolatedInjectors {
        try injector.override(as: (any Weather).self, injectable: .singleton(Fixed()))
        try injector.override(injectable: .singleton(Fixed()))
        try injector.override(injectable: .factory { Live() })
        _ = try (injector.get(Fixed.self), injector.get(Live.self))
      }
    }
    #expect(issues == [])
  }
}
