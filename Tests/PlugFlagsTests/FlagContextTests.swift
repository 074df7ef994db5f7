import Foundation
import Testing

@testable import PlugFlags

private enum Tier: String, FlagValueConvertible {
  case basic, premium
}

private struct Shopper: ListedFlagContext {
  var id = "p-17"
  var country = "DE"
  var age = 42
  var tier = Tier.premium
  var nickname: String?
  var tags: Set<String> = ["vip", "beta"]
  var address = ["city": "Ulm"]

  static let flagAttributes = FlagAttributeList<Shopper>(
    targetingKey: \.id,
    [
      .init("country", \.country), .init("age", \.age), .init("tier", \.tier), .init("nickname", \.nickname),
      .init("tags", \.tags), .init("address", \.address), .init("isAdult") { $0.age >= 18 }, .init("age") { _ in 0 },
    ])
}

/// A context that counts the requests for its attributes.
private struct Asked: FlagContext {
  let targetingKey: String? = "key"

  func attribute(_ name: String) -> FlagValue? { .string("<\(name)>") }
}

@Suite("A context")
struct FlagContextTests {
  @Test("lists attributes by key path, of every type that has values")
  func listed() {
    let shopper = Shopper()
    #expect(
      Shopper.flagAttributes.names == ["country", "age", "tier", "nickname", "tags", "address", "isAdult", "age"])
    #expect(shopper.targetingKey == "p-17")
    #expect(shopper.attribute("country") == "DE" && shopper.attribute("age") == 42)
    #expect(shopper.attribute("tier") == "premium" && shopper.attribute("nickname") == nil)
    #expect(shopper.attribute("tags") == ["beta", "vip"] && shopper.attribute("address") == ["city": "Ulm"])
    #expect(shopper.attribute("isAdult") == true && shopper.attribute("other") == nil && shopper.attribute("") == nil)
    #expect(Shopper(nickname: "Jo").attribute("nickname") == "Jo")
    #expect(
      shopper.attributes == [
        "country": "DE", "age": 42, "tier": "premium", "tags": ["beta", "vip"], "address": ["city": "Ulm"],
        "isAdult": true,
      ])
  }

  @Test("is evaluated by attributes and paths")
  func evaluated() throws {
    let document = try document(
      """
      {"if": [{"and": [{"==": [{"var": "address.city"}, "Ulm"]}, {"==": [{"var": "tags.1"}, "vip"]}, {"var": "isAdult"}]},
      "on"]}
      """
    )
    #expect(document.evaluate("flag", in: Shopper()).variant == "on")
    #expect(document.evaluate("flag", in: Shopper(age: 17)).variant == "off")
    #expect(document.evaluate("flag", in: Shopper(tags: ["vip"])).variant == "off")
  }

  @Test("can be any type: one is asked for the name before the first dot")
  func custom() throws {
    let document = try document(#"{"var": "name"}"#, variants: ["<name>"], default: nil)
    #expect(document.evaluate("flag", in: Asked()).variant == "<name>")
    #expect(Asked().attributes == [:])
  }

  @Test("has a targeting key as one, or as an attribute")
  func targetingKeys() throws {
    struct Member: ListedFlagContext {
      static let flagAttributes = FlagAttributeList<Member>([.init("targetingKey") { _ in "p-17" }])
    }
    let document = try document(#"{"fractional": [["on"], ["off"]]}"#)
    let expected = document.evaluate("flag", in: FlagAttributes(targetingKey: "p-17"))
    #expect(expected.reason == .targetingMatch)
    #expect(document.evaluate("flag", in: Member()) == expected)
  }

  @Test("of attributes is a literal, and Codable")
  func attributes() throws {
    var context: FlagAttributes = ["targetingKey": "k", "country": "DE", "country": "AT"]
    #expect(context.targetingKey == "k" && context["country"] == "AT" && context.attribute("none") == nil)
    context["age"] = 7
    context["country"] = nil
    #expect(context == FlagAttributes(targetingKey: "k", ["age": 7]))
    #expect(FlagAttributes(["targetingKey": 7]).targetingKey == nil)
    let data = try JSONEncoder().encode(context)
    #expect(try JSONDecoder().decode(FlagAttributes.self, from: data) == context)
    let value: FlagValue = ["n": .null, "b": true, "d": 1.5, "i": 3, "s": "x", "a": [1, [2]], "o": ["p": false]]
    #expect(try JSONDecoder().decode(FlagValue.self, from: JSONEncoder().encode(value)) == value)
  }

  @Test("of many names is found by hashing, and of several with one name the first")
  func manyNames() {
    let elements = (0..<40).map { ("name-\($0 % 30)", $0) }
    let table = NameTable(elements.map(\.1)) { elements[$0].0 }
    for number in 0..<30 { #expect(table["name-\(number)"] == number) }
    #expect(table["name-30"] == nil && table[HashedName("name-7")] == 7)
    let names = (0..<40_000).map { "name-\($0)" }
    let many = NameTable(Array(0..<20_000)) { names[$0] }
    let wanted: [Int?] = Array(0..<20_000) + Array(repeating: nil, count: 20_000)
    #expect(names.map { many[$0] } == wanted)
  }
}
