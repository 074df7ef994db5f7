import Foundation
import Plug
import PlugFlags
import PlugKeys
import PlugOperations
import Testing

@Suite("Rules about flags")
struct RuleFlagTests {
  private let services = Injector("services")
  private let shopper = Buyer()

  private func trace(_ rule: Rule<Buyer>, _ document: FlagDocument) -> String {
    services[Flags.self] = document
    #expect(rule.evaluate(in: shopper, from: services) == rule.trace(in: shopper, from: services).outcome)
    return rule.trace(in: shopper, from: services).description
  }

  @Test("say whether a flag is true")
  func boolean() throws {
    #expect(trace(.flag("x"), try flags(["x": constant(true)])) == #"+ flag "x": on = true (STATIC)"#)
    #expect(trace(.flag("x"), try flags(["x": constant(false)])) == #"- flag "x": off = false (STATIC)"#)
    let disabled = try flags(["x": #""state": "DISABLED", "variants": {"on": true}, "defaultVariant": "on""#])
    #expect(trace(.flag("x"), disabled) == #"- flag "x": the caller's default (DISABLED)"#)
    let none = try flags(["x": #""state": "ENABLED", "variants": {"on": true}"#])
    #expect(trace(.flag("x"), none) == #"- flag "x": the caller's default (DEFAULT)"#)
  }

  @Test("compare values")
  func values() throws {
    let text = try flags(["x": value("\"v2\"")])
    #expect(trace(.flag("x", is: "v2"), text) == #"+ flag "x" == "v2": only = "v2" (STATIC)"#)
    #expect(trace(.flag("x", is: "only"), text) == #"- flag "x" == "only": only = "v2" (STATIC)"#)
    #expect(trace(.flag("x", variant: "only"), text) == #"+ variant of flag "x" == "only": only = "v2" (STATIC)"#)
    let number = try flags(["x": value("3")])
    #expect(trace(.flag("x", is: 3.0), number) == #"+ flag "x" == 3: only = 3 (STATIC)"#)
    #expect(trace(.flag("x", atLeast: 3), number) == #"+ flag "x" >= 3: only = 3 (STATIC)"#)
    #expect(trace(.flag("x", atLeast: 3.5), number) == #"- flag "x" >= 3.5: only = 3 (STATIC)"#)
    #expect(trace(.flag("x", atMost: 3), number) == #"+ flag "x" <= 3: only = 3 (STATIC)"#)
    let object = try flags(["x": value(#"{"a": [1, null]}"#)])
    #expect(
      trace(.flag("x", is: ["a": [1, .null]]), object)
        == #"+ flag "x" == {"a":[1,null]}: only = {"a":[1,null]} (STATIC)"#)
  }

  @Test("compare the values of typed flags, with the default of the key")
  func typed() throws {
    let key = FlagKey("limit", default: 4)
    let rule = Rule<Buyer>.flag(key, .within(\.self, 3...5))
    #expect(trace(rule, try flags(["limit": value("5")])) == "+ self in 3...5: 5")
    #expect(trace(rule, try flags(["limit": value("6")])) == "- self in 3...5: 6")
    #expect(
      trace(rule, try flags(["limit": #""state": "DISABLED", "variants": {"a": 1}"#])) == "+ self in 3...5: 4")
    #expect(trace(rule, .empty) == #"? self in 3...5 (FLAG_NOT_FOUND: the document has no flag "limit")"#)
  }

  @Test("are indeterminate where there is an error, and so are their negations")
  func errors() throws {
    let missing = #"FLAG_NOT_FOUND: the document has no flag "x""#
    #expect(trace(.flag("x"), .empty) == "? flag \"x\" (\(missing))")
    #expect(trace(!.flag("x"), .empty) == "? not\n  ? flag \"x\" (\(missing))")
    let wrong = try flags(["x": #""state": "ON", "variants": {}"#])
    #expect(
      trace(.flag("x", variant: "a"), wrong) == """
        ? variant of flag "x" == "a" (PARSE_ERROR: flag "x" is wrong; see the problems of its document)
        """)
    let text = try flags(["x": value("\"on\"")])
    #expect(
      trace(.flag("x"), text) == """
        ? flag "x": only = "on" (STATIC) (TYPE_MISMATCH: variant "only" is "on", not a Boolean)
        """)
    #expect(
      trace(.flag("x", is: 3), text) == """
        ? flag "x" == 3: only = "on" (STATIC) (TYPE_MISMATCH: variant "only" is "on", not a number)
        """)
    let lost = try flags(["x": choice(of: ["a"], "a", targeting: #"{"var": "country"}"#)])
    #expect(
      trace(.flag("x", is: "a"), lost) == """
        ? flag "x" == "a": ERROR
            var country: "DE" (GENERAL: the targeting gave "DE", which is not the name of a variant)
        """)
  }

  @Test("show the targeting down to the operands, as text and as JSON")
  func operands() throws {
    let targeting = #"{"if": [{">=": [{"var": "age"}, 18]}, "on", "off"]}"#
    let document = try flags(["adults": choice(of: ["on", "off"], "off", targeting: targeting)])
    let rule = Rule<Buyer>.flag("adults", is: "on")
    #expect(
      trace(rule, document) == """
        + flag "adults" == "on": on = "on" (TARGETING_MATCH)
            if: "on"
              >=: true
                var age: 42
                18
              "on"
        """)
    let operand = rule.trace(in: shopper, from: services).value
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(
      String(decoding: try encoder.encode(operand), as: UTF8.self) == #"""
        {"flag":"adults","reason":"TARGETING_MATCH","targeting":{"operands":[{"operands":[{"operation":"var age",\#
        "result":42},{"result":18}],"operation":">=","result":true},{"result":"on"}],"operation":"if","result":"on"},\#
        "value":"on","variant":"on"}
        """#)
  }

  @Test("look at the injector that is asked, also through a larger context")
  func injectors() throws {
    struct Session: Sendable { let shopper: Buyer }
    let rule = Rule<Buyer>.flag("x").pullback { (session: Session) in session.shopper }
    let scope = services.makeScope("request")
    scope[Flags.self] = try flags(["x": constant(true)])
    #expect(rule.evaluate(in: Session(shopper: shopper), from: scope) == .satisfied)
    #expect(rule.evaluate(in: Session(shopper: shopper), from: services) == .indeterminate)
  }
}
