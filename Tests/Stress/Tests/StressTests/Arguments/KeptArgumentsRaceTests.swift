import TestSupport
import Testing

@testable import Plug

/// An injector, and the number of its living instances.
private struct Keeper: Sendable {
  let injector = Injector(allowRewrite: true)
  let living = LivingCount()

  init() throws { try register() }

  func register() throws {
    try injector.register(Tracked.self, taking: Int.self, lifetime: .lazySingleton) { [living] _, _ in
      Tracked(living)
    }
  }

  func number(_ argument: Int) throws -> Int { try injector.get(Tracked.self, with: argument).number }
}

@Suite("Shared instances for arguments under several threads", .repeatable)
struct KeptArgumentsRaceTests {
  enum Change: CaseIterable {
    case reset, replacing, unregistering, closing
  }

  @Test("are released by a change while eight threads request them", arguments: Change.allCases)
  func race(_ change: Change) throws {
    try TestSupport.race(threads: 8) { _ in
      let keeper = try Keeper()
      _ = try keeper.number(0)
      return keeper
    } body: { (keeper: Keeper, thread) in
      if thread > 0 { return (0..<6).map { try? keeper.number($0 % 3) } }
      switch change {
      case .reset: keeper.injector.reset()
      case .replacing: try? keeper.register()
      case .unregistering: _ = try? keeper.injector.unregister(Tracked.self, taking: Int.self)
      case .closing: keeper.injector.closeNow()
      }
      return []
    } check: { keeper, outcomes in
      switch change {
      case .reset, .replacing:
        #expect(outcomes.joined().allSatisfy { $0 != nil })
        let kept = try (0..<3).map(keeper.number)
        #expect(try (0..<3).map(keeper.number) == kept)
        #expect(keeper.living.current == 3)
      case .unregistering, .closing: #expect(throws: InjectorError.self) { try keeper.number(0) }
      }
      #expect(keeper.living.total <= 6)
      #expect(Set(outcomes.joined().compactMap(\.self)).isSubset(of: 1...keeper.living.total))
      keeper.injector.closeNow()
      #expect(keeper.living.current == 0)
    }
  }
}
