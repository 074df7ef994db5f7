import PlugOperations
import TestSupport
import Testing

@testable import Plug
@testable import PlugKeys

private struct Account: Sendable, Equatable {
  var age = 0
  var country: String?
}

private struct Member: PrivateContext, Equatable {
  var email = "ada@example.org"
  static var privateProperties: [PartialKeyPath<Member>] { [\.email] }
}

private enum CurrentMember: Property { static var defaultValue: Member? { Member() } }
private enum AccountTier: Property { static var defaultValue: String { "standard" } }
private enum CurrentAccount: Property { static var defaultValue: Account { Account() } }

extension Injector {
  fileprivate var tier: String { self[AccountTier.self] }
}

@Suite("A rule on a property")
struct RulePropertyTests {
  @Test("is satisfied while the property has the expected value, and its trace shows the current one")
  func equality() {
    let injector = Injector()
    let rule = Rule<Injector>.property(AccountTier.self, "premium")
    #expect(rule.evaluate(in: injector) == .unsatisfied)
    injector[AccountTier.self] = "premium"
    #expect(rule.trace(in: injector).description == "+ AccountTier == \"premium\": \"premium\"")
    #expect(rule.description == "AccountTier == \"premium\"")
    #expect(rule.evaluate(in: injector.makeScope("scope")) == .satisfied)
  }

  @Test("does not show a value that has private properties")
  func privateValue() {
    let rule = Rule<Injector>.property(CurrentMember.self, nil)
    #expect("\(rule.trace(in: Injector()))" == "- CurrentMember == nil: •••")
  }

  @Test("can be built from rules on the property's value, with key paths into that value")
  func keyPaths() {
    let injector = Injector()
    let rule = Rule<Injector>.property(CurrentAccount.self, .atLeast(\.age, 18) && .equals(\.country, "DE"))
    #expect(rule.evaluate(in: injector) == .unsatisfied)
    injector[CurrentAccount.self].age = 20
    #expect(rule.evaluate(in: injector) == .indeterminate)
    injector[CurrentAccount.self].country = "DE"
    #expect(rule.evaluate(in: injector) == .satisfied)
    #expect(
      rule.trace(in: injector).description == """
        + all
          + age >= 18: 20
          + country == "DE": "DE"
        """)
    let whole = Rule<Injector>.property(AccountTier.self, .oneOf(\.self, ["standard"]))
    #expect(whole.evaluate(in: injector) == .satisfied)
  }

  @Test("can use a key path to a computed property of the injector")
  func ownKeyPath() {
    let injector = Injector()
    injector[AccountTier.self] = "premium"
    #expect(Rule<Injector>.equals(\.tier, "premium").evaluate(in: injector) == .satisfied)
  }

  @Test("is indeterminate in a closed scope")
  func closed() {
    let scope = Injector("services").makeScope("request")
    scope.closeNow()
    #expect(Rule<Injector>.property(AccountTier.self, "standard").evaluate(in: scope) == .indeterminate)
  }

  @Test("chooses among candidates whose context is the injector, without a registered context")
  func choosing() throws {
    let injector = Injector()
    try injector.register(
      PluginPoint<any Networking, Injector>("network") {
        Candidate("fast") { HTTPNetworking(name: "fast") }.when(.property(AccountTier.self, "premium"))
        Candidate("slow") { HTTPNetworking(name: "slow") }
      })
    try injector.seal()
    #expect(try injector.get((any Networking).self).name == "slow")
    injector[AccountTier.self] = "premium"
    #expect(try injector.get((any Networking).self).name == "fast")
    let scope = injector.makeScope("scope")
    scope[AccountTier.self] = "standard"
    #expect(try scope.get((any Networking).self).name == "slow")
    try injector.validate()
  }
}
