import TestSupport
import Testing

@testable import Plug

/// An injector, and the number of its living instances.
private struct Keeper: Sendable {
  let injector = Injector(allowRewrite: true)
  let living = LivingCount()

  init() throws { try register() }

  func register(tag: Injector.Tag? = nil, _ lifetime: ArgumentsLifetime<Int> = .lazySingleton) throws {
    try injector.register(Tracked.self, tag: tag, taking: Int.self, lifetime: lifetime) { [living] _, _ in
      Tracked(living)
    }
  }

  func number(_ argument: Int) throws -> Int { try injector.get(Tracked.self, with: argument).number }
}

/// An argument that counts itself, its comparisons, and its living copies.
private final class Argument: Hashable, Sendable {
  let number: Int
  let living: LivingCount
  let comparisons: Counter

  init(_ number: Int, _ living: LivingCount, _ comparisons: Counter = Counter()) {
    (self.number, self.living, self.comparisons) = (number, living, comparisons)
    living.begin()
  }

  deinit { living.end() }

  static func == (first: Argument, second: Argument) -> Bool {
    first.comparisons.increment()
    return first.number == second.number
  }

  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

private final class Page: Sendable {}

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
    try injector.register([String].self, taking: Int.self, lifetime: .lazySingleton) { number, _ in ["\(number)"] }
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

  enum End: CaseIterable {
    case reset, resetOfType, unregistering, replacing, closing, failing
  }

  @Test(
    "leaves nothing of its arguments behind", arguments: End.allCases,
    [ArgumentsLifetime<Argument>.lazySingleton, .scoped])
  fileprivate func ended(_ end: End, _ lifetime: ArgumentsLifetime<Argument>) throws {
    let (services, living) = (Injector(allowRewrite: true), LivingCount())
    func register(fails: Bool) throws {
      try services.register(Page.self, taking: Argument.self, lifetime: lifetime) { _, _ in
        if fails { throw Failure() }
        return Page()
      }
    }
    try register(fails: end == .failing)
    let injector = lifetime.kind == .scoped ? services.makeScope() : services
    for number in 0..<100 { _ = try? injector.get(Page.self, with: Argument(number, living)) }
    #expect(living.current == (end == .failing ? 0 : 100))
    switch end {
    case .reset: injector.reset()
    case .resetOfType: try injector.reset(Page.self)
    case .unregistering: try services.unregister(Page.self, taking: Argument.self)
    case .replacing: try register(fails: false)
    case .closing: injector.closeNow()
    case .failing: break
    }
    // A scope keeps what it has made until it is closed, even if its parent no longer registers the service.
    let isKept = injector !== services && (end == .unregistering || end == .replacing)
    #expect(living.current == (isKept ? 100 : 0))
    injector.closeNow()
    #expect(living.current == 0)
  }

  @Test("is found among thousands without comparing others, also after some of them have failed")
  func many() throws {
    let (injector, living, comparisons) = (Injector(), LivingCount(), Counter())
    try injector.register(Page.self, taking: Argument.self, lifetime: .lazySingleton) { argument, _ in
      if argument.number % 3 == 0 { throw Failure() }
      return Page()
    }
    let pages = (0..<3_000).map { try? injector.get(Page.self, with: Argument($0, living, comparisons)) }
    #expect(living.current == 2_000 && comparisons.value == 0)
    for (number, page) in pages.enumerated() where page != nil {
      #expect(try injector.get(Page.self, with: Argument(number, living, comparisons)) === page)
    }
    #expect(living.current == 2_000 && comparisons.value == 2_000)
  }

  @Test("is found among arguments with equal hashes, of which some fail")
  func collisions() throws {
    let (injector, made) = (Injector(), Counter())
    try injector.register(Page.self, taking: Colliding.self, lifetime: .lazySingleton) { argument, _ in
      if argument.number % 3 == 0 { throw Failure() }
      made.increment()
      return Page()
    }
    func pages() -> [ObjectIdentifier?] {
      (0..<60).map { number in
        (try? injector.get(Page.self, with: Colliding(number: number))).map(ObjectIdentifier.init)
      }
    }
    let first = pages()
    #expect(pages() == first && made.value == 40)
  }

  @Test("may need itself with other arguments; with equal ones that is a cycle, also through another service")
  func cycles() throws {
    let injector = Injector()
    try injector.register(Int.self, taking: Int.self, lifetime: .lazySingleton) { number, injector in
      switch number {
      case 0: 0
      case 1...9: try injector.get(Int.self, with: number - 1) + number
      default: try Int(injector.get(String.self, with: number)) ?? 0
      }
    }
    try injector.register(String.self, taking: Int.self) { number, injector in
      try "\(injector.get(Int.self, with: number))"
    }
    #expect(try injector.get(Int.self, with: 9) == 45)
    let error = #expect(throws: InjectorError.self) { try injector.get(Int.self, with: 10) }
    guard case .circularDependency(_, let path) = try #require(error) else { throw try #require(error) }
    #expect(path == ["Int(Int)", "String(Int)", "Int(Int)"])
  }

  @Test("is waited for by a configuration only until it is made, although other arguments are around it")
  func configured() throws {
    let (injector, log) = (Injector(), Log())
    try injector.register(
      injectable: .lazySingleton { Page() }.configure { _, injector in
        _ = try injector.get(String.self, with: 0)
        log.add("configured")
      })
    try injector.register(String.self, taking: Int.self, lifetime: .lazySingleton) { number, injector in
      if number == 0 {
        _ = try injector.get(Page.self)
      } else {
        _ = try injector.get(String.self, with: 0)
        log.add("outer")
      }
      return "\(number)"
    }
    #expect(try injector.get(String.self, with: 1) == "1")
    #expect(log.lines == ["configured", "outer"])
  }
}
