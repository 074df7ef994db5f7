import Plug
import TestSupport
import Testing

private enum Shop {
  struct Shopper: Sendable {}
}

private struct Shopper: Sendable {
  let name: String
}

private struct Account: Sendable {
  let number: Int
}

@Suite("The context of a choice")
struct ChoiceContextTests {
  private let injector = Injector("services")

  private func registerChoice<Context: Sendable>(by context: Context.Type) throws {
    try injector.contribute(
      Account.self, .factory { Account(number: 7) }, when: Rule<Context>("any") { _ in true })
  }

  private func text(_ body: () throws(InjectorError) -> Void) -> String {
    do throws(InjectorError) {
      try body()
      return "none"
    } catch {
      return "\(error)"
    }
  }

  @Test("that is registered reports its missing dependency, also if both have the same name")
  func namesake() throws {
    try registerChoice(by: Shopper.self)
    try injector.register(
      injectable: .factory { injector in
        _ = try injector.get(Shop.Shopper.self)
        return Shopper(name: "Ada")
      })
    for failure in [
      text({ () throws(InjectorError) in _ = try injector.get(Account.self) }),
      text({ () throws(InjectorError) in _ = try injector.getAll(Account.self) }),
      text({ () throws(InjectorError) in _ = try injector.explain(Account.self) }),
    ] {
      #expect(failure.hasPrefix("get(Shop.Shopper.self) failed: nothing is registered for Shopper."))
    }
  }

  @Test("that is registered only with a tag is missing")
  func tagged() throws {
    try registerChoice(by: Shopper.self)
    try injector.register(tag: "guest", injectable: .singleton(Shopper(name: "Ada")))
    let failure = text { () throws(InjectorError) in _ = try injector.get(Account.self) }
    #expect(
      failure.hasPrefix("get(Account.self) failed: its candidates need a Shopper, and none was passed or registered."))
  }

  @Test("may be a collection of registered services")
  func collection() throws {
    try registerChoice(by: [Shopper].self)
    try injector.register(injectable: .singleton(Shopper(name: "Ada")))
    #expect(try injector.get(Account.self).number == 7)
    try injector.validate()
  }

  @Test("may be inherited by a scope, or registered by each scope")
  func scope() throws {
    try registerChoice(by: Shopper.self)
    try injector.register(as: Shopper.self, injectable: .providedByScope)
    let scope = try injector.makeScope("request") { try $0.register(injectable: .singleton(Shopper(name: "Ada"))) }
    #expect(try scope.get(Account.self).number == 7)
    #expect(try scope.makeScope("inner").get(Account.self).number == 7)
  }
}
