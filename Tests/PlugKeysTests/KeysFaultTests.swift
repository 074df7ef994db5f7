import Observation
import PlugIsolation
import PlugOperations
import TestSupport
import Testing

@testable import Plug
@testable import PlugKeys

private final class User: Sendable {}

private enum CurrentUser: Property {
  static var defaultValue: Result<User, InjectorError>? {
    Injector.current.map { scope in Result { () throws(InjectorError) in try scope.get(User.self) } }
  }
}

private enum Tenant: Property { static var defaultValue: String { "none" } }

private enum Sessions {
  static let user = Lazy { try Injector.current?.get(User.self) }
  static let weakUser = WeakLazy { try Injector.current?.get(User.self) ?? User() }
}

private let globalUser = Lazy { try Injector.current?.get(User.self) }

private enum First { enum Tier: Property { static var defaultValue: Int { 1 } } }
private enum Second { enum Tier: Property { static var defaultValue: Int { 1 } } }

private struct Loaded: Feature {
  static let made = Counter()
  static func load(in injector: Injector) -> Loaded {
    made.increment()
    return Loaded()
  }
}

extension Injector {
  fileprivate var answer: Provider<Int> { provide(.lazySingleton { 42 }) }
}

private func isCaptive(_ error: (any Error)?) -> Bool {
  if case InjectorError.captiveDependency? = error { true } else { false }
}

@Suite("Keys and lazy values", .serialized)
struct KeysFaultTests {
  private func shop() throws -> Injector {
    let shop = Injector()
    try shop.register(injectable: .scoped { User() })
    return shop
  }

  @Test("cannot capture a scope's service in a default value of the outermost injector")
  func captiveDefault() throws {
    let scope = try shop().makeScope()
    _ = try scope.get(User.self)
    let found = try #require(scope.run { scope[CurrentUser.self] })
    #expect(throws: InjectorError.self) { try found.get() }
    if case .failure(let error) = found { #expect(isCaptive(error)) }
  }

  @Test("cannot capture a scope's service in a global lazy value")
  func captiveLazy() throws {
    let scope = try shop().makeScope()
    scope.run {
      #expect(isCaptive(#expect(throws: InjectorError.self) { try Sessions.user.get() }))
      #expect(isCaptive(#expect(throws: InjectorError.self) { try Sessions.weakUser.get() }))
      #expect(isCaptive(#expect(throws: InjectorError.self) { try globalUser.get() }))
      #expect(
        isCaptive(#expect(throws: InjectorError.self) { try Lazy { try Injector.current?.get(User.self) }.get() }))
    }
  }

  @Test("do not let a singleton keep the value that a scope has set for a property")
  func propertyOfScope() throws {
    let shop = Injector()
    try shop.register(as: String.self) { _ in try Injector.current?.get(Tenant.self) ?? "" }
    try shop.register(as: Int.self, injectable: .factory { _ in try Injector.current?.get(Tenant.self).count ?? 0 })
    let scope = shop.makeScope()
    scope[Tenant.self] = "tenant"
    let (kept, new) = try scope.run { (try shop.get(String.self), try shop.get(Int.self)) }
    #expect(kept == "none")
    #expect(new == 6)
  }

  @Test("that were used by name leave the name to an injector that is created later")
  func placeholder() throws {
    _ = Injector["early keys"][Theme.self]
    _ = Injector["early keys"][Loaded.self]
    _ = Injector["early keys"].answer()
    let token = Injector["early keys"].observe(Theme.self) { _ in }
    let owner = Injector("early keys")
    #expect(Injector["early keys"] === owner)
    token.cancel()
    Injector["set keys"][WallClock.self] = .constant(1)
    #expect(Injector["set keys"][WallClock.self].now() == 1)
    let late = Injector("set keys")
    #expect(Injector["set keys"] === late)
  }

  @Test("let Observation release what it tracks through a scope when the scope ends")
  func tracked() {
    let injector = Injector()
    let alive = LivingCount()
    trackInScope(of: injector, alive)
    #expect(alive.total == 2 && alive.current == 0)
    injector[Theme.self] = "dark"
  }

  @inline(never)
  private func trackInScope(of injector: Injector, _ alive: LivingCount) {
    for depth in 1...2 {
      let scope = (0..<depth).reduce(injector) { scope, _ in scope.makeScope() }
      let tracked = Tracked(alive)
      withObservationTracking {
        _ = scope[Theme.self]
      } onChange: {
        withExtendedLifetime(tracked) {}
      }
    }
  }

  @Test("let rules tell two properties of the same name apart")
  func identity() {
    let first = Rule<Injector>.property(First.Tier.self, 1)
    let trace = (first && .property(Second.Tier.self, 1) && first).trace(in: Injector())
    #expect(trace.parts.map { $0.variant } == [nil, 2, nil])
    let inner: Rule<Injector> =
      .property(First.Tier.self, .atLeast(\.self, 1)) && .property(Second.Tier.self, .atLeast(\.self, 1))
    #expect(inner.trace(in: Injector()).parts.map { $0.variant } == [nil, 2])
  }

  @Test("share no values, instances or observers between the program and an isolated copy")
  func isolation() throws {
    let injector = Injector()
    let scope = injector.makeScope()
    let (lazy, log) = (Lazy { User() }, Log())
    let outside = lazy.instance
    injector[Theme.self] = "dark"
    scope[Tenant.self] = "scope"
    injector[WallClock.self] = .constant(1)
    let token = injector.observe(Theme.self) { log.add($0) }
    Sandbox.run { _ in
      #expect(injector[Theme.self] == "dark" && scope[Tenant.self] == "scope" && injector[WallClock.self].now() == 1)
      injector[Theme.self] = "red"
      #expect(scope[Theme.self] == "red")
      injector[WallClock.self] = .constant(2)
      #expect(!lazy.isMade && lazy.instance !== outside && lazy.instance === lazy.instance)
      Sandbox.run { _ in
        #expect(scope[Theme.self] == "red" && injector[WallClock.self].now() == 2)
        scope[Theme.self] = "blue"
        #expect(!lazy.isMade)
      }
      #expect(scope[Theme.self] == "red")
    }
    #expect(injector[Theme.self] == "dark" && injector[WallClock.self].now() == 1 && lazy.instance === outside)
    #expect(log.lines == [])
    token.cancel()
  }

  @Test("do not count the requests of an observer as dependencies of the factory that triggers it")
  func observingInAFactory() async throws {
    let injector = Injector()
    let scope = injector.makeScope()
    try injector.register(injectable: .scoped { User() })
    try injector.register(
      PluginPoint<any Networking, Injector>("network") {
        Candidate("dark") { HTTPNetworking() }.when(.property(Theme.self, "dark") && .property(Tenant.self, "tenant"))
        Candidate("light") { HTTPNetworking() }
      })
    try injector.register(as: String.self) { injector in
      injector[Theme.self] = "dark"
      return "made"
    }
    scope[Tenant.self] = "tenant"
    let selections = scope.selections(of: (any Networking).self)
    let users = Counter()
    let token = scope.observe(Theme.self) { _ in if (try? scope.get(User.self)) != nil { users.increment() } }
    #expect(try injector.get(String.self) == "made")
    await scope.close()
    #expect(try await selections.reduce(into: []) { $0.append($1) } == ["light", "dark"])
    #expect(users.value == 1)
    token.cancel()
  }

  @Test("report values to an observer in order, including the last one, under eight threads")
  func racing() throws {
    try race(threads: 8, rounds: 100) { _ in
      Watched()
    } body: { watched, _ in
      for _ in 0..<20 { watched.injector.update(Version.self) { $0 += 1 } }
    } check: { watched, _ in
      let values = watched.seen.withLock { $0 }
      #expect(values == values.sorted() && values.last == 160 && watched.injector[Version.self] == 160)
      watched.token.cancel()
    }
  }

  @Test("make a default value or a feature only once when eight threads ask first")
  func once() throws {
    let before = Locked(Loaded.made.value)
    try race(threads: 8, rounds: 100) { _ in
      Injector()
    } body: { injector, thread in
      let scope = thread.isMultiple(of: 2) ? injector : injector.makeScope()
      _ = scope[Loaded.self]
      return scope[Shared.self]
    } check: { _, users in
      let made = before.withLock { before in
        defer { before = Loaded.made.value }
        return Loaded.made.value - before
      }
      #expect(made == 1 && users.count == 8 && users.allSatisfy { $0 === users[0] })
    }
  }

  @Test("cannot be read, set or observed after a closing that races with other threads")
  func closing() throws {
    try race(threads: 5, rounds: 200) { _ in
      (scope: Injector().makeScope(), ended: Counter())
    } body: { subject, thread in
      let scope = subject.scope
      switch thread {
      case 0: scope.closeNow()
      case 1: try? scope.set(Theme.self, to: "red")
      case 2: _ = try? scope.get(Theme.self)
      default:
        let properties = try? Properties.of(scope, for: Theme.self)
        let isOpen = properties?.attach(Ended(subject.ended), to: Theme.self) ?? false
        if !isOpen { subject.ended.increment() }
      }
    } check: { subject, _ in
      #expect(throws: InjectorError.self) { try subject.scope.get(Theme.self) }
      #expect(throws: InjectorError.self) { try subject.scope.set(Theme.self, to: "red") }
      #expect(subject.ended.value == 2 && subject.scope.parent?[Theme.self] == "light")
    }
  }
}

private final class Watched: Sendable {
  let injector = Injector()
  let scope: Injector
  let seen = Locked<[Int]>([])
  let token: ObservationToken

  init() {
    scope = injector.makeScope()
    token = scope.observe(Version.self) { [seen] value in seen.withLock { $0.append(value) } }
  }
}

private enum Shared: Property { static var defaultValue: User { User() } }

private final class Ended: Observer {
  let looks = Looks()
  private let count: Counter
  init(_ count: Counter) { self.count = count }
  func see() {}
  func finish() {}
  func propertiesHaveEnded(_ properties: Properties) { count.increment() }
  func trapWithoutEnd() -> Never { fatalError("It looks at nothing.") }
}
