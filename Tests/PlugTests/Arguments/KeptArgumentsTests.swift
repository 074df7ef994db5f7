import TestSupport
import Testing

@testable import Plug

/// An injector, and the number of its living instances.
private struct Keeper: Sendable {
  let injector = Injector(allowRewrite: true)
  let living = LivingCount()

  init() throws { try register() }

  func register(tag: Injector.Tag? = nil, _ lifetime: ArgumentsLifetime<Int> = .lazySingleton) throws {
    try injector.register(as: Tracked.self, tag: tag, taking: Int.self, lifetime: lifetime) { [living] _, _ in
      Tracked(living)
    }
  }

  func number(_ argument: Int) throws -> Int { try injector.get(Tracked.self, with: argument).number }
}

/// Instances for arguments are kept under a lock of their own. No test may see a difference from other instances.
@Suite("A shared instance for arguments")
struct KeptArgumentsTests {
  @Test("is released with its injector or scope, also without a close")
  func released() throws {
    let living: LivingCount
    do {
      let keeper = try Keeper()
      living = keeper.living
      try keeper.register(tag: "scoped", .scoped)
      let scope = keeper.injector.makeScope()
      for number in 0..<3 {
        _ = try (scope.get(Tracked.self, with: number), scope.get(Tracked.self, tag: "scoped", with: number))
      }
      #expect(living.current == 6)
    }
    #expect(living.current == 0)
  }

  @Test("is new after each reset, and the same in between")
  func reset() throws {
    let keeper = try Keeper()
    for round in 1...3 {
      #expect(try [keeper.number(1), keeper.number(1)] == [round, round])
      keeper.injector.reset()
      #expect(keeper.living.current == 0)
    }
  }

  @Test("is decorated by a scope, which keeps its own, in any order of requests", arguments: [true, false])
  func decorated(isScopeFirst: Bool) throws {
    let injector = Injector()
    try injector.register(as: [String].self, taking: Int.self, lifetime: .lazySingleton) { number, _ in ["\(number)"] }
    let scopes = [injector.makeScope(), injector.makeScope(), injector.makeScope()]
    for (number, scope) in scopes.enumerated().dropFirst() {
      try scope.decorate([String].self) { inner, _ in inner + ["scope \(number)"] }
    }
    let expected = [["7"], ["7", "scope 1"], ["7", "scope 2"]]
    for _ in 0..<2 {
      let texts = try (isScopeFirst ? scopes.reversed() : scopes).map { try $0.get([String].self, with: 7) }
      #expect(texts == (isScopeFirst ? expected.reversed() : expected))
      #expect(try injector.get([String].self, with: 7) == ["7"])
    }
  }
}
