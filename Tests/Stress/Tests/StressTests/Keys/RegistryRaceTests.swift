import TestSupport
import Testing

@testable import Plug
@testable import PlugKeys

private final class ColdRegistry<Round>: Registry {
  static func createMockShared() -> ColdRegistry { ColdRegistry() }
}

@Suite("A registry under several threads", .repeatable, .serialized)
struct RegistryRaceTests {
  @Test("makes its mock exactly once under eight threads")
  func cold() throws {
    try raceCold(ColdRegistry<Void>.self, rounds: 10)
  }

  /// A registry for each round, since a registry exists once in the whole program.
  private func raceCold<Round>(_ registry: ColdRegistry<Round>.Type, rounds: Int) throws {
    try race(threads: 8, rounds: 1) { _ in
    } body: { _, _ in
      registry.shared
    } check: { _, shared in
      #expect(Set(shared.map(ObjectIdentifier.init)).count == 1)
    }
    if rounds > 1 { try raceCold(ColdRegistry<ColdRegistry<Round>>.self, rounds: rounds - 1) }
  }
}
