import TestSupport
import Testing

@testable import Plug

extension Injector {
  fileprivate var provided: Provider<Tracked> {
    provide(.scoped { (injector: Injector) in Tracked(try injector.get(LivingCount.self)) })
  }
  fileprivate var shared: Provider<Tracked> {
    provide(.lazySingleton { (injector: Injector) in Tracked(try injector.get(LivingCount.self)) })
  }
  fileprivate var overridable: Provider<Log> { provide(.scoped { Log() }) }
  fileprivate var providedFor: Provider<Tracked, Int> {
    provide(lifetime: .scoped) { (_: Int, injector) in Tracked(try injector.get(LivingCount.self)) }
  }
}

@Suite("An instance of a scope")
struct GivingUpInScopesTests {
  @Test("is closed and released when its registration in the scope is replaced or removed")
  func registeredInScope() throws {
    let (log, living) = (Log(), LivingCount())
    let scope = Injector("root", allowRewrite: true).makeScope("scope")
    func register(_ name: String) throws {
      try scope.register(
        as: (any Networking).self,
        injectable: .scoped {
          log.add("make \(name)")
          return Tracked(living)
        }.onClose { _ in log.add("close \(name)") })
    }
    try register("1")
    _ = try scope.get((any Networking).self)
    try register("2")
    #expect(living.current == 0)
    _ = try scope.get((any Networking).self)
    _ = try scope.get((any Networking).self)
    try scope.unregister((any Networking).self)
    #expect(living.current == 0)
    try register("3")
    _ = try scope.get((any Networking).self)
    scope.closeNow()
    #expect(living.current == 0)
    #expect(log.lines == ["make 1", "close 1", "make 2", "close 2", "make 3", "close 3"])
  }

  enum Change: CaseIterable { case replacedCandidate, removedCandidate, replacedPlain }

  @Test("is closed and released when one of several candidates ends", arguments: Change.allCases)
  func oneOfSeveral(change: Change) throws {
    let (log, living) = (Log(), LivingCount())
    let scope = Injector(allowRewrite: true).makeScope()
    func register(candidate id: String?) throws {
      let injection = Injection<any Networking>.scoped { Tracked(living) }.onClose { _ in log.add("close") }
      if let id {
        try scope.contribute((any Networking).self, injection, id: id)
      } else {
        try scope.register(as: (any Networking).self, injectable: injection)
      }
    }
    for id in ["first", "second", nil] { try register(candidate: id) }
    _ = try scope.getAll((any Networking).self)
    #expect(living.current == 3)
    switch change {
    case .replacedCandidate: try register(candidate: "first")
    case .removedCandidate: try scope.unregister((any Networking).self, candidate: "first")
    case .replacedPlain: try register(candidate: nil)
    }
    #expect(living.current == 2)
    #expect(log.lines == ["close"])
  }

  @Test("stays until the scope is closed when its registration is removed from an outer injector")
  func registeredFurtherOut() throws {
    let (log, living) = (Log(), LivingCount())
    let injector = Injector()
    let scope = injector.makeScope()
    try injector.register(
      as: (any Networking).self, injectable: .scoped { Tracked(living) }.onClose { _ in log.add("close") })
    _ = try scope.get((any Networking).self)
    try injector.unregister((any Networking).self)
    #expect(living.current == 1)
    let error = #expect(throws: InjectorError.self) { try scope.get((any Networking).self) }
    guard case .notRegistered = try #require(error) else { throw try #require(error) }
    scope.closeNow()
    #expect(living.current == 0)
    #expect(log.lines == ["close"])
  }

  @Test("for arguments is released when its registration is removed")
  func argumentsInScope() throws {
    let living = LivingCount()
    let scope = Injector().makeScope()
    try scope.register((any Networking).self, taking: Int.self, lifetime: .lazySingleton) { _, _ in
      Tracked(living)
    }
    for number in 1...3 { _ = try scope.get((any Networking).self, with: number) }
    #expect(living.current == 3)
    try scope.unregister((any Networking).self, taking: Int.self)
    #expect(living.current == 0)
  }

  @Test(
    "of a provider is closed and released where that is overridden or reset", arguments: [false, true], [false, true])
  func providersInScope(isSealed: Bool, isDecorated: Bool) throws {
    let (log, living) = (Log(), LivingCount())
    let injector = Injector()
    try injector.register(injectable: .singleton(living))
    if isSealed { try injector.seal() }
    let (scope, sibling) = (injector.makeScope(), injector.makeScope())
    if isDecorated {
      try scope.provided.decorate { inner, _ in inner }
      try scope.providedFor.decorate { inner, _ in inner }
    }
    _ = (scope.provided(), sibling.provided(), scope.providedFor(1), scope.providedFor(2))
    #expect(living.current == 4)
    try scope.provided.override(.scoped { Tracked(living) }.onClose { _ in log.add("close override") })
    try scope.providedFor.override { _, _ in Tracked(living) }
    #expect(living.current == 1)
    _ = (scope.provided(), scope.providedFor(1))
    #expect(living.current == 3)
    try scope.provided.override(.scoped { Tracked(living) })
    try scope.providedFor.reset()
    #expect(log.lines == ["close override"])
    #expect(living.current == 1)
    _ = (scope.provided(), scope.providedFor(1))
    try scope.provided.reset()
    try scope.providedFor.reset()
    #expect(living.current == 1)
    withExtendedLifetime(sibling) {}
  }

  @Test("of a shared provider that the scope decorates is released when the scope overrides the provider")
  func decoratedInScope() throws {
    let (log, living) = (Log(), LivingCount())
    let injector = Injector()
    try injector.register(injectable: .singleton(living))
    let scope = injector.makeScope()
    try scope.shared.decorate { _, _ in Tracked(living) }
    _ = scope.shared()
    #expect(living.current == 2)
    try scope.shared.override(.lazySingleton { Tracked(living) }.onClose { _ in log.add("close override") })
    #expect(living.current == 1)
    _ = (scope.shared(), scope.shared())
    #expect(living.current == 3, "one further out, and the override that is closed, and what wraps it")
    try scope.shared.reset()
    #expect(log.lines == ["close override"])
    #expect(scope.shared() === scope.shared())
    #expect(living.current == 2)
  }

  enum Kind: CaseIterable { case shared, scoped, arguments }

  @Test(
    "is made anew by an inner scope, if the provider has been overridden and reset around it",
    arguments: Kind.allCases, [[true, false], [false, true], [true, true]])
  func resetAround(kind: Kind, isDecorated: [Bool]) throws {
    let living = LivingCount()
    let injector = Injector()
    try injector.register(injectable: .singleton(living))
    let outer = injector.makeScope()
    let scopes = [outer, outer.makeScope()]
    for (scope, isDecorated) in zip(scopes, isDecorated) where isDecorated {
      try scope.shared.decorate { inner, _ in inner }
      try scope.provided.decorate { inner, _ in inner }
      try scope.providedFor.decorate { inner, _ in inner }
    }
    func get(_ scope: Injector) throws -> Tracked {
      switch kind {
      case .shared: try scope.shared.get()
      case .scoped: try scope.provided.get()
      case .arguments: try scope.providedFor.get(1)
      }
    }
    for (isOverridden, first) in [(false, 1), (true, 1), (true, 0), (false, 0)] {
      for scope in scopes { _ = try get(scope) }
      for scope in scopes {
        if isOverridden {
          try scope.shared.override(.lazySingleton { Tracked(living) })
          try scope.provided.override(.scoped { Tracked(living) })
          try scope.providedFor.override { _, _ in Tracked(living) }
        }
        try scope.shared.reset()
        try scope.provided.reset()
        try scope.providedFor.reset()
      }
      #expect(try get(scopes[first]) === get(scopes[first]))
      #expect(try get(scopes[1 - first]) === get(scopes[1 - first]))
    }
  }

  @Test("of an overridden provider ends with a reset of the outer injector, too")
  func goesFurtherOut() throws {
    let living = LivingCount()
    let injector = Injector()
    try injector.register(injectable: .singleton(living))
    let scope = injector.makeScope()
    _ = injector.shared()
    try scope.shared.override(.factory { Tracked(living) })
    try injector.shared.reset()
    #expect(living.current == 0)
  }

  @Test("is closed once, and at once, if its registration is removed meanwhile", arguments: [false, true])
  func meanwhile(isOverridden: Bool) throws {
    let log = Log()
    let injector = Injector("root")
    let scope = injector.makeScope("scope")
    let inProgress: Injection<Log> = .scoped { (_: Injector) in
      if isOverridden {
        try scope.overridable.override(.scoped { log })
      } else {
        try scope.unregister(Log.self)
      }
      return log
    }.onClose { $0.add("close") }
    if isOverridden {
      try injector.overridable.override(inProgress)
      #expect(try scope.overridable.get() === log)
    } else {
      try scope.register(injectable: inProgress)
      let error = try #require(throws: InjectorError.self) { try scope.get(Log.self) }
      #expect(error.headline == "get(Log.self) failed: nothing is registered for Log.")
    }
    #expect(log.lines == ["close"])
    scope.closeNow()
    #expect(log.lines == ["close"])
  }
}
