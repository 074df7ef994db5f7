import Plug
import PlugIsolation
import PlugKeys
import TestSupport
import Testing

private final class User: Sendable {
  let name: String
  init(_ name: String) { self.name = name }
}

private func currentName() throws -> String {
  try Injector.current?.get(User.self, fileID: "Shop/User.swift", line: 2).name ?? "nobody"
}

/// A service that lives as long as the program, with a lazy value.
private final class Holder: Sendable {
  let user = Lazy { try currentName() }
}

private enum Globals {
  static let user = Lazy { try currentName() }
}

private func makeShop() throws -> Injector {
  let shop = Injector("shop")
  try shop.register { Holder() }
  return shop
}

extension Injector {
  fileprivate func open(for name: String) throws -> Injector {
    let scope = makeScope(name)
    try scope.register(injectable: .singleton(User(name)), fileID: "Shop/Main.swift", line: 5)
    return scope
  }
}

@Suite("A lazy value of the program")
struct ProgramLazyTests {
  @Test(
    "cannot use a scope's service, no matter where it is declared or which scope uses it first",
    arguments: ["global", "stored", "local"], [["ann", "bob"], ["bob", "ann"]])
  func scoped(origin: String, users: [String]) throws {
    let shop = try makeShop()
    let lazy =
      switch origin {
      case "global": Globals.user
      case "stored": try shop.get(Holder.self).user
      default: Lazy { try currentName() }
      }
    for user in users {
      let scope = try shop.open(for: user)
      let error = #expect(throws: InjectorError.self) { try scope.run { try lazy.get() } }
      #expect(
        error?.description == """
          User would be captured by a longer-lived service: Lazy<String> (lazySingleton) → User (singleton).
            service:        User
            injector:       shop/\(user)
            chain:          Lazy<String> → User
            asked at:       Shop/User.swift:2
            registered at:  Shop/Main.swift:5
          To fix this:
            - Write scope.lazy { … } instead of a value that belongs to the program. It belongs to the scope.
          """)
    }
    #expect(!lazy.isMade)
  }

  @Test("cannot use a scope's service even if the value is weak")
  func weak() throws {
    let scope = try makeShop().open(for: "ann")
    let lazy = WeakLazy { try scope.get(User.self, fileID: "Shop/User.swift", line: 2) }
    let error = #expect(throws: InjectorError.self) { try lazy.get() }
    #expect(
      error?.description == """
        User would be captured by a longer-lived service: WeakLazy<User> (weakSingleton) → User (singleton).
          service:        User
          injector:       shop/ann
          chain:          WeakLazy<User> → User
          asked at:       Shop/User.swift:2
          registered at:  Shop/Main.swift:5
        To fix this:
          - Write scope.lazy { … } instead of a value that belongs to the program. It belongs to the scope.
        """)
  }

  @Test("may use services that live as long as the program")
  func singleton() throws {
    let shop = try makeShop()
    let lazy = Lazy { try shop.get(Holder.self) }
    #expect(try shop.open(for: "ann").run { try lazy.get() } === shop.get(Holder.self))
  }
}

@Suite("A lazy value of an injector")
struct InjectorLazyTests {
  @Test("is made once from its scope's services, and is kept until the scope is reset or closed")
  func scoped() throws {
    let (made, living) = (Counter(), LivingCount())
    let scope = try makeShop().open(for: "ann")
    let lazy = scope.lazy { injector in
      #expect(made.increment() > 0)
      _ = try injector.get(User.self)
      return Tracked(living)
    }
    #expect(!lazy.isMade)
    #expect(try lazy.get().number == 1 && lazy.instance.number == 1)
    #expect(lazy.isMade && living.current == 1)
    scope.reset()
    #expect(!lazy.isMade && living.current == 0)
    #expect(lazy.instance.number == 2)
    scope.closeNow()
    #expect(!lazy.isMade && living.current == 0)
    let error = #expect(throws: InjectorError.self) { try lazy.get() }
    #expect(
      error?.description == """
        Lazy<Tracked> cannot be resolved or registered: the injector is closed.
          service:        Lazy<Tracked>
          chain:          Lazy<Tracked>
        To fix this:
          - Get the services that you need before you close the injector, and keep no object that asks it later.
          - Or open another scope: makeScope("…").
        """)
  }

  @Test("does not keep its scope alive, and throws after the scope has been released")
  func released() throws {
    let living = LivingCount()
    var scope: Injector? = try makeShop().open(for: "ann")
    weak let known = scope
    let lazy = try #require(scope?.lazy { _ in Tracked(living) })
    #expect(lazy.instance === lazy.instance && living.current == 1)
    scope = nil
    #expect(known == nil && living.current == 0 && !lazy.isMade)
    let error = #expect(throws: InjectorError.self) { try lazy.get() }
    #expect(
      error?.description == """
        Lazy<Tracked> cannot be resolved or registered: the injector is closed.
          service:        Lazy<Tracked>
          chain:          Lazy<Tracked>
        To fix this:
          - Get the services that you need before you close the injector, and keep no object that asks it later.
          - Or open another scope: makeScope("…").
        """)
  }

  @Test("can belong to an injector that is not a scope")
  func root() throws {
    let living = LivingCount()
    let shop = try makeShop()
    let lazy = shop.lazy { _ in Tracked(living) }
    #expect(lazy.instance === lazy.instance && lazy.isMade)
    shop.reset()
    #expect(!lazy.isMade && living.current == 0)
    #expect(lazy.instance.number == 2)
    shop.closeNow()
    #expect(throws: InjectorError.self) { try lazy.get() }
    #expect(living.current == 0)
  }

  @Test("cannot be captured by an instance that lives longer than the scope")
  func captive() throws {
    let shop = try makeShop()
    let scope = try shop.open(for: "ann")
    let lazy = scope.lazy(fileID: "Shop/Main.swift", line: 9) { try $0.get(User.self).name }
    try shop.register(as: String.self, fileID: "Shop/Main.swift", line: 8) { try lazy.get() }
    let error = #expect(throws: InjectorError.self) { try scope.get(String.self, fileID: "Shop/User.swift", line: 3) }
    #expect(
      error?.description == """
        Lazy<String> would be captured by a longer-lived service: String (lazySingleton) → Lazy<String> (scoped).
          service:        Lazy<String>
          chain:          String → Lazy<String>
          asked at:       Shop/User.swift:3
          registered at:  Shop/Main.swift:9
        To fix this:
          - Make the longer-lived service scoped too.
          - Or pass it a scope, from which it gets the service when it needs it.
        """)
    #expect(try lazy.get() == "ann")
  }

  @Test("is made only once when several threads use it at the same time")
  func threads() throws {
    try race(
      threads: 4, rounds: 100,
      makeSubject: { _ in
        let scope = Injector().makeScope()
        return (scope, scope.lazy { _ in Instance() })
      },
      body: { (subject: (Injector, Lazy<Instance>), _) in subject.1.instance },
      check: { _, made in #expect(made.allSatisfy { $0 === made[0] }) })
  }

  @Test("is made anew in a preview, which has a copy of its injector")
  func isolated() throws {
    let scope = try makeShop().open(for: "ann")
    let lazy = scope.lazy { try $0.get(User.self).name }
    #expect(lazy.instance == "ann")
    try Injector.preview { () throws in
      #expect(!lazy.isMade)
      try scope.register(injectable: .singleton(User("bob")))
      #expect(try lazy.get() == "bob")
    }
    #expect(lazy.instance == "ann")
  }
}
