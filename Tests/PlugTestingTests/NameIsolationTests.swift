import Plug
import PlugTesting
import Testing

@Suite("A name in isolated tests")
struct NameIsolationTests {
  private static let shop = Injector("isolation.own")

  init() { _ = Self.shop }

  @Test("finds the test's own injector, and the program's injector after the test releases its own", .isolated)
  func own() throws {
    #expect(Injector["isolation.own"] === Self.shop)
    do {
      let own = Injector("isolation.own")
      try own.register(injectable: .singleton(1))
      #expect(Injector["isolation.own"] === own)
      #expect(try Injector["isolation.own"].get(Int.self) == 1)
      let second = Injector("isolation.own")
      #expect(Injector["isolation.own"] === second)
      second.closeNow()
      #expect(Injector["isolation.own"] === own)
    }
    #expect(Injector["isolation.own"] === Self.shop)
    #expect(!Self.shop.isRegistered(Int.self))
  }

  @Test("finds the next injector of that name when the test closes its copy of the first one", .isolated)
  func closed() {
    let (first, second) = (Injector("isolation.own"), withIsolatedInjectors { Injector("isolation.own") })
    #expect(Injector["isolation.own"] === first)
    withIsolatedInjectors {
      #expect(Injector["isolation.own"] === first)
      first.closeNow()
      #expect(Injector["isolation.own"] === Self.shop)
      Self.shop.closeNow()
      #expect(![first, second, Self.shop].contains { $0 === Injector["isolation.own"] })
    }
    #expect(Injector["isolation.own"] === first && !first.isClosed && !Self.shop.isClosed)
    withExtendedLifetime(second) {}
  }

  @Test("does not carry an override over to an injector that the test creates later with the name")
  func overridden() throws {
    try withIsolatedInjectors {
      try Injector["isolation.names.none"].override(
        as: (any Payments).self, injectable: .singleton(FakePayments("by name")))
      #expect(try Injector["isolation.names.none"].get((any Payments).self).name == "by name")
      let own = Injector("isolation.names.none")
      Shop.setUp(own)
      #expect(Injector["isolation.names.none"] === own)
      #expect(try own.get(Basket.self).payments.name == "live")
    }
    let outside = Injector("isolation.names.none")
    #expect(!outside.isRegistered((any Payments).self))
    #expect(!withIsolatedInjectors { Injector["isolation.names.none"].isRegistered((any Payments).self) })
  }

  @Test("finds the copy of a scope that the program has opened with the name")
  func scope() throws {
    let name: Injector.Name = "isolation.names.scope"
    let feed = try Self.shop.makeScope(name) { try $0.register(injectable: .singleton(1)) }
    try withIsolatedInjectors {
      #expect(Injector[name] === feed)
      try Injector[name].override(injectable: .singleton(2))
      #expect(try Injector[name].get(Int.self) == 2 && feed.get(Int.self) == 2)
      let own = Self.shop.makeScope(name)
      #expect(Injector[name] === own)
    }
    #expect(try Injector[name] === feed && feed.get(Int.self) == 1)
    feed.closeNow()
  }

  @Test("never finds an injector of another test while eight tests create injectors in parallel")
  func parallel() async {
    let name: Injector.Name = "isolation.names.parallel"
    let program = Injector(name)
    #expect(Injector[name] === program)
    await withTaskGroup(of: [Bool].self) { group in
      for _ in 0..<8 {
        group.addTask {
          (0..<50).map { _ in
            withIsolatedInjectors {
              let first = Injector(name)
              let isFound = Injector[name] === first
              let second = Injector(name)
              return withExtendedLifetime((first, second)) { isFound && Injector[name] === second }
            }
          }
        }
      }
      for await isRight in group { #expect(!isRight.contains(false)) }
    }
    #expect(Injector[name] === program)
  }
}
