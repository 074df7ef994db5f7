import Testing

@testable import Plug

extension Injector {
  fileprivate var provided: Provider<Tracked> {
    provide(.scoped { (injector: Injector) in Tracked(try injector.get(LivingCount.self)) })
  }
  fileprivate var providedFor: ArgumentsProvider<Tracked, Int> {
    provide(lifetime: .scoped) { (_: Int, injector) in Tracked(try injector.get(LivingCount.self)) }
  }
}

@Suite("What a scope has made")
struct GivingUpInScopesTests {
  @Test("is closed and released where its registration is replaced or removed")
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
    try scope.unregister(type: (any Networking).self)
    #expect(living.current == 0)
    try register("3")
    _ = try scope.get((any Networking).self)
    scope.closeNow()
    #expect(living.current == 0)
    #expect(log.lines == ["make 1", "close 1", "make 2", "close 2", "make 3", "close 3"])
  }

  @Test("from arguments is released where its registration is removed")
  func argumentsInScope() throws {
    let living = LivingCount()
    let scope = Injector().makeScope()
    try scope.register(as: (any Networking).self, taking: Int.self, lifetime: .lazySingleton) { _, _ in
      Tracked(living)
    }
    for number in 1...3 { _ = try scope.get((any Networking).self, with: number) }
    #expect(living.current == 3)
    try scope.unregister(type: (any Networking).self, taking: Int.self)
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
}
