import Plug
import PlugTesting
import Testing

@Suite("A name in isolated tests")
struct NameIsolationTests {
  private static let shop = Injector("isolation.own")

  init() { _ = Self.shop }

  @Test("finds the injector that the test makes, and the program's when that has gone", .isolated)
  func own() throws {
    #expect(Injector["isolation.own"] === Self.shop)
    do {
      let own = Injector("isolation.own")
      try own.register(injectable: .singleton(1))
      #expect(Injector["isolation.own"] === own)
      #expect(try Injector["isolation.own"].get(Int.self) == 1)
      let second = Injector("isolation.own")
      #expect(Injector["isolation.own"] === own)
      own.closeNow()
      #expect(Injector["isolation.own"] === second)
    }
    #expect(Injector["isolation.own"] === Self.shop)
    #expect(!Self.shop.isRegistered(type: Int.self))
  }

  @Test("is refused by the second of the test's own injectors, and not by the first", .isolated)
  func twice() throws {
    let (first, second) = (Injector("isolation.own"), Injector("isolation.own"))
    _ = Injector["isolation.own"]
    try first.seal()
    #expect(throws: InjectorError.self) { try second.seal() }
  }

  @Test("keeps what the test overrides by it, whichever injector takes the name later")
  func overridden() throws {
    try withIsolatedInjectors {
      try Injector["isolation.names.none"].override(
        as: (any Payments).self, injectable: .singleton(FakePayments("by name")))
      let own = Injector("isolation.names.none")
      Shop.setUp(own)
      #expect(try own.get(Basket.self).payments.name == "by name")
      #expect(Injector["isolation.names.none"] === own)
    }
    let outside = Injector("isolation.names.none")
    #expect(!outside.isRegistered(type: (any Payments).self))
  }

  @Test("is refused by no injector of another test, of which eight make two at once")
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
              let isFound = Injector[name] === first && (try? first.seal()) != nil
              return withExtendedLifetime(first) { isFound && (try? Injector(name).seal()) == nil }
            }
          }
        }
      }
      for await isRight in group { #expect(!isRight.contains(false)) }
    }
    #expect(Injector[name] === program)
  }
}
