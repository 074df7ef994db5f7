import Foundation
import Plug
import PlugKeys
import PlugOperations
import Testing

@testable import PlugFlags

private struct Visitor: ListedFlagContext {
  var id = "p-17"
  var email = "ada@example.org"

  static let flagAttributes = FlagAttributeList<Visitor>(
    targetingKey: { $0.id }, [FlagAttribute("email") { $0.email }, FlagAttribute("country") { _ in "DE" }])

  var privateAttributes: Set<String> { ["email", "targetingKey"] }
}

/// An attribute that is private, and one that is not.
private let friends: FlagAttributes = {
  var context: FlagAttributes = ["friends": ["ada", "bob"], "age": 36, "country": "DE"]
  context.privateAttributes = ["friends", "age"]
  return context
}()

@Suite("A private attribute")
struct PrivateAttributesTests {
  @Test("is hidden in explanations with all that is made from it, and decides as any other")
  func explained() throws {
    let document = try document(
      """
      {"if": [{"and": [
        {"ends_with": [{"var": "email"}, "@example.org"]}, {"!": {"in": [{"cat": [{"var": "country"}, {"var": "email"}]}, "x"]}}
      ]}, {"fractional": [{"cat": [{"var": "targetingKey"}, "!"]}, ["on", 25], ["off", 75]]}, "off"]}
      """)
    let trace = try #require(document.explain("flag", in: Visitor()).targeting)
    #expect(
      "\(trace)" == """
        if: "\(document.evaluate("flag", in: Visitor()).variant ?? "")"
          and: true
            ends_with: true
              var email: "•••"
              "@example.org"
            !: true
              in: false
                cat: "•••"
                  var country: "DE"
                  var email: "•••"
                "x"
          fractional: "\(document.evaluate("flag", in: Visitor()).variant ?? "")" \
        \(trace.operands[1].remark.map { "(\($0))" } ?? "")
            cat: "•••"
              var targetingKey: "•••"
              "!"
            ["on",25]
            ["off",75]
        """)
  }

  @Test("is hidden element by element, in parts, as the whole data, and as the operand that a choice returns")
  func parts() throws {
    func text(_ targeting: String) throws -> String {
      "\(try #require(document(targeting).explain("flag", in: friends).targeting))"
    }
    #expect(
      try text(#"{"if": [{"some": [{"var": "friends"}, {"==": [{"var": ""}, "bob"]}]}, "on", "off"]}"#) == """
        if: "on"
          some: true
            var friends: "•••"
            ==: false
              var: "•••"
              "bob"
            ==: true
              var: "•••"
              "bob"
          "on"
        """)
    #expect(try text(#"{"or": [{"var": "friends.0"}, "off"]}"#).hasPrefix("or: \"•••\"\n  var friends.0: \"•••\""))
    #expect(try text(#"{"missing": ["country", {"var": "friends.0"}]}"#).hasPrefix("missing: \"•••\""))
    #expect(try text(#"{"var": ""}"#) == "var: \"•••\"")
    #expect(try text(#"{"if": [{">": [{"+": [{"var": "age"}, 1]}, 18]}, "on", "off"]}"#).contains("+: \"•••\""))
    #expect(
      try text(#"{"if": [{"==": [{"var": "country"}, "DE"]}, "on", "off"]}"#).contains("var country: \"DE\""))
  }

  @Test("is hidden in the explanation of a rule about a flag")
  func rule() throws {
    let services = Injector("services")
    services[Flags.self] = try document(#"{"if": [{"==": [{"var": "email"}, "x"]}, "on", "off"]}"#)
    try services.contribute(Int.self, .factory { 1 }, when: Rule<Visitor>.flag("flag", variant: "on"), id: "one")
    let explanation = try services.explain(Int.self, in: Visitor())
    let json = String(decoding: try JSONEncoder().encode(explanation), as: UTF8.self)
    #expect("\(explanation)".contains("var email: \"•••\""))
    #expect(!"\(explanation)".contains("ada@") && !json.contains("ada@") && !json.contains("p-17"))
  }
}
