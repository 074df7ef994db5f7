import Testing

@testable import Plug

/// Knows which injector it was made from, and whether it has been closed.
private final class Logbook: Sendable {
  let owner: Injector.Identity
  let closings = Counter()

  init(_ injector: Injector) {
    owner = injector.identity
  }
}

@Suite("The owner of an instance", .serialized)
struct OwnerTests {
  @Test("is where its registration was found, whatever is registered meanwhile", arguments: [2, 4])
  func race(threads: Int) throws {
    try PlugTests.race(threads: threads, rounds: 3_000) { _ -> (root: Injector, scope: Injector) in
      let root = Injector()
      try root.register(injectable: .lazySingleton { Logbook($0) }.onClose { $0.closings.increment() })
      return (root, root.makeScope())
    } body: { subject, thread -> Logbook? in
      if thread > 0 { return try? subject.scope.get(Logbook.self) }
      _ = try? subject.scope.register(injectable: .lazySingleton { Logbook($0) })
      return nil
    } check: { subject, outcomes in
      subject.scope.closeNow()
      let ofRoot = try subject.root.get(Logbook.self)
      #expect(ofRoot.owner == subject.root.identity)
      #expect(ofRoot.closings.value == 0)
      for made in outcomes.compactMap(\.self) {
        #expect(made === ofRoot || made.owner == subject.scope.identity)
      }
    }
  }

  @Test("stays the same if a rule registers the service in the scope that is asked")
  func rule() throws {
    let root = Injector()
    try root.register(
      injectable: .lazySingleton { Logbook($0) }.onClose { $0.closings.increment() },
      when: Rule<Injector>("registers") { scope in
        try scope.register(injectable: .lazySingleton { Logbook($0) })
        return true
      })
    let scope = root.makeScope()
    let made = try scope.get(Logbook.self, in: scope)
    scope.closeNow()
    #expect(made.owner == root.identity)
    #expect(made.closings.value == 0)
  }

  @Test(
    "is not the scope that is asked, if what has been scoped becomes a singleton meanwhile",
    arguments: [Lifetime.singleton, .lazySingleton])
  func replaced(lifetime: Lifetime) throws {
    let root = Injector(allowRewrite: true)
    let given = Logbook(root)
    let closing: @Sendable (Logbook) -> Void = { $0.closings.increment() }
    let next: Injection<Logbook> =
      lifetime == .singleton
      ? .singleton(given).onClose(closing) : .lazySingleton { Logbook($0) }.onClose(closing)
    try root.register(
      injectable: .scoped { Logbook($0) }.onClose(closing),
      when: Rule<Injector>("replaces") { [unowned root] _ in
        try root.register(injectable: next, when: Rule<Injector>("always") { _ in true }, id: "plan")
        return true
      }, id: "plan")
    let scope = root.makeScope()
    let made = try scope.get(Logbook.self, in: scope)
    scope.closeNow()
    #expect(made.owner == root.identity)
    #expect(made.closings.value == 0)
    #expect(try root.get(Logbook.self, in: root) === made)
    root.closeNow()
    #expect(made.closings.value == 1)
  }

  @Test("is not the scope that is asked, if another thread replaces what has been scoped", arguments: [2, 8])
  func replacedMeanwhile(threads: Int) throws {
    try PlugTests.race(threads: threads, rounds: 2_000) { _ -> (root: Injector, scope: Injector) in
      let root = Injector(allowRewrite: true)
      try root.register(injectable: .scoped { Logbook($0) })
      return (root, root.makeScope())
    } body: { subject, thread -> Logbook? in
      if thread > 0 { return try? subject.scope.get(Logbook.self) }
      let given = Logbook(subject.root)
      _ = try? subject.root.register(injectable: .singleton(given).onClose { $0.closings.increment() })
      return given
    } check: { subject, outcomes in
      subject.scope.closeNow()
      let given = try #require(outcomes[0])
      #expect(given.closings.value == 0)
      for made in outcomes.compactMap(\.self) {
        #expect(made === given || made.owner == subject.scope.identity)
      }
      subject.root.closeNow()
      #expect(given.closings.value == 1)
    }
  }

  @Test("of what is made from arguments is where its registration was found", arguments: [2, 4])
  func arguments(threads: Int) throws {
    try PlugTests.race(threads: threads, rounds: 2_000) { _ -> (root: Injector, scope: Injector) in
      let root = Injector()
      try root.register(as: Logbook.self, taking: Int.self, lifetime: .lazySingleton) { _, injector in
        Logbook(injector)
      }
      return (root, root.makeScope())
    } body: { subject, thread -> Logbook? in
      if thread > 0 { return try? subject.scope.get(Logbook.self, with: 1) }
      _ = try? subject.scope.register(as: Logbook.self, taking: Int.self, lifetime: .lazySingleton) { _, injector in
        Logbook(injector)
      }
      return nil
    } check: { subject, outcomes in
      let ofRoot = try subject.root.get(Logbook.self, with: 1)
      #expect(ofRoot.owner == subject.root.identity)
      for made in outcomes.compactMap(\.self) {
        #expect(made === ofRoot || made.owner == subject.scope.identity)
      }
    }
  }
}
