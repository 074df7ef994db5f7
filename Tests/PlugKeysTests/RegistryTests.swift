import TestSupport
import Testing

@testable import Plug
@testable import PlugKeys

private final class FreshRegistry: Registry {
  let name: String
  init(name: String) { self.name = name }
  static func createMockShared() -> FreshRegistry { FreshRegistry(name: "mock") }
}

private final class AssignedRegistry: Registry {
  let name: String
  init(name: String) { self.name = name }
  static func createMockShared() -> AssignedRegistry { AssignedRegistry(name: "mock") }
}

private final class TwiceRegistry: Registry {
  let name: String
  init(name: String) { self.name = name }
  static func createMockShared() -> TwiceRegistry { TwiceRegistry(name: "mock") }
}

private final class ColdRegistry<Round>: Registry {
  static func createMockShared() -> ColdRegistry { ColdRegistry() }
}

@Suite("A registry", .serialized)
struct RegistryTests {
  @Test("shares one mock until an implementation is assigned, and reports the mock")
  func mock() async {
    await #expect(processExitsWith: .success) { useMock() }
  }

  @Test("shares the assigned implementation, and then vends no mock")
  func assigned() {
    #expect(AssignedRegistry.assignDesiredImplementation(to: AssignedRegistry(name: "live")))
    #expect(AssignedRegistry.shared.name == "live" && AssignedRegistry.isAssigned)
    #expect(!Registries.vendedMocks.contains("AssignedRegistry"))
  }

  @Test("keeps the first assignment, and names its location when it refuses a second one")
  func twice() async {
    await #expect(processExitsWith: .success) { assignTwice() }
  }

  @Test("that is not assigned is reported by the check, with all other unassigned registries")
  func check() {
    AssignedRegistry.assignDesiredImplementation(to: AssignedRegistry.shared)
    let error = #expect(throws: UnassignedRegistries.self) {
      try Registries.checkAssigned([ColdRegistry<Int>.self, AssignedRegistry.self, ColdRegistry<Bool>.self])
    }
    #expect(error?.names == ["ColdRegistry<Int>", "ColdRegistry<Bool>"])
    #expect(error?.count == 3)
    let sample = UnassignedRegistries(names: ["Core", "Routing"], count: 3, vendedMocks: ["Core"])
    #expect(
      sample.description == """
        2 of 3 registries are not assigned: Core, Routing.
          vended mocks:   Core
        To fix this:
          - Assign each one at launch, before anything uses it: Core.assignDesiredImplementation(to: …).
        """)
  }

  @Test("that vends a mock where mocks are forbidden ends the program with the diagnosis")
  func forbidden() async throws {
    #expect(isTestProcess)
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Registries.noteMock(of: "CoreRegistry", isForbidden: true)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let expected = """
      Fatal error: CoreRegistry.shared is a mock: nothing has been assigned to it.
        registry:       CoreRegistry
      To fix this:
        - Assign it at launch, before anything uses it: CoreRegistry.assignDesiredImplementation(to: …).
        - Or allow mocks: unset PLUG_TRAP_ON_MOCK.
      """
    #expect(text.contains(expected))
  }
}

// The hooks belong to the whole program, so a test that sets them runs in a process of its own.

private func useMock() {
  let vended = Log()
  Registries.onVendingMock = { vended.add($0) }
  #expect(FreshRegistry.shared === FreshRegistry.shared)
  #expect(FreshRegistry.shared.name == "mock" && !FreshRegistry.isAssigned)
  #expect(vended.lines == ["FreshRegistry"])
  #expect(Registries.vendedMocks == ["FreshRegistry"])
  #expect(FreshRegistry.assignDesiredImplementation(to: FreshRegistry(name: "late")))
  #expect(FreshRegistry.shared.name == "late" && FreshRegistry.isAssigned)
}

private func assignTwice() {
  let refusals = Log()
  Registries.onRefusal = { refusals.add($0.description) }
  let line = #line + 1
  #expect(TwiceRegistry.assignDesiredImplementation(to: TwiceRegistry(name: "first")))
  #expect(!TwiceRegistry.assignDesiredImplementation(to: TwiceRegistry(name: "second")))
  #expect(TwiceRegistry.shared.name == "first")
  #expect(
    refusals.lines == [
      """
      TwiceRegistry.assignDesiredImplementation(to:) at \(#fileID):\(line + 1) was refused: only the first \
      assignment counts.
        registry:       TwiceRegistry
        assigned at:    \(#fileID):\(line)
      To fix this:
        - Assign it once, at launch. In a test, isolate the test instead: @Test(.isolated).
      """
    ])
}
