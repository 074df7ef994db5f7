import Foundation
import Plug
import PlugKeys
import Testing

@testable import storefront

@Suite("ShopperFile")
struct ShopperFileTests {
  @Test("All fields are read")
  func allFields() throws {
    let expected = Shopper(
      id: "one", country: "DE", tier: .premium, appVersion: SemanticVersion(1, 2, 3), features: ["beta"],
      basket: Basket(totalInCents: 1000, weightInGrams: 500))
    #expect(try file("[\(Samples.object())]").shoppers() == [expected])
  }

  @Test("A shopper without a tier is a guest", arguments: [nil, "null"])
  func guest(_ tier: String?) throws {
    #expect(try file("[\(Samples.object(["tier": tier]))]").shoppers().map(\.tier) == [nil])
  }

  @Test("The bounds of an amount are inside", arguments: [0, 1_000_000_000])
  func bounds(_ amount: Int) throws {
    let basket = "{ \"totalInCents\": \(amount), \"weightInGrams\": \(amount) }"
    let shoppers = try file("[\(Samples.object(["basket": basket]))]").shoppers()
    #expect(shoppers.map(\.basket) == [Basket(totalInCents: amount, weightInGrams: amount)])
  }

  @Test(
    "A file that is no list of shoppers is refused",
    arguments: [
      ("", "the file is empty"),
      (" ", "the file is not valid JSON"),
      ("[", "the file is not valid JSON"),
      ("[{\"id\": \"one\" \"country\": \"DE\"}]", "the file is not valid JSON"),
      ("[]", "the list has no shoppers"),
      ("{}", "the file must be a list"),
      ("null", "the file must be a list, not null"),
      ("[7]", "shopper 1 must be an object"),
      ("[null]", "shopper 1 must be an object, not null"),
    ])
  func notAList(_ text: String, _ problem: String) {
    #expect(throws: ShopperFileError(file: "mine.json", problem: problem)) { try file(text).shoppers() }
  }

  @Test(
    "A missing field is named",
    arguments: ["id", "country", "appVersion", "features", "basket"])
  func missing(_ field: String) {
    expect("\"\(field)\" is missing", for: [field: nil])
  }

  @Test(
    "A field of the wrong type is named with the right one",
    arguments: [
      ("id", "7", "a string"),
      ("country", "true", "a string"),
      ("tier", "[]", "a string"),
      ("appVersion", "3.1", "a string"),
      ("features", "\"beta\"", "a list"),
      ("basket", "[]", "an object"),
      ("country", "null", "a string, not null"),
    ])
  func wrongType(_ field: String, _ value: String, _ type: String) {
    expect("\"\(field)\" must be \(type)", for: [field: value])
  }

  @Test("The place is exact inside of lists and objects")
  func nestedPlaces() {
    expect("\"features\" item 2 must be a string", for: ["features": "[\"beta\", 7]"])
    expect("\"basket.weightInGrams\" is missing", for: ["basket": "{ \"totalInCents\": 1 }"])
    expect(
      "\"basket.weightInGrams\" must be a number", for: ["basket": "{ \"totalInCents\": 1, \"weightInGrams\": \"1\" }"])
  }

  @Test(
    "A value that means nothing is named",
    arguments: [
      ("appVersion", "\"3.x\"", "\"3.x\" is not a semantic version such as 1.2.3-beta.1"),
      ("appVersion", "\"\"", "\"\" is not a semantic version such as 1.2.3-beta.1"),
      ("tier", "\"gold\"", "\"gold\" is neither \"standard\" nor \"premium\""),
    ])
  func meaningless(_ field: String, _ value: String, _ problem: String) {
    expect("\"\(field)\": \(problem)", for: [field: value])
  }

  @Test("An amount that nobody can pay or carry is refused", arguments: ["-1.0", "1.5", "1000000001.0", "1e+300"])
  func badAmount(_ amount: String) {
    expect(
      "\"basket.totalInCents\": \(amount) is not a whole number from 0 to 1000000000",
      for: ["basket": "{ \"totalInCents\": \(amount), \"weightInGrams\": 1 }"])
  }

  @Test("Two shoppers with one id are refused")
  func duplicate() {
    let text = "[\(Samples.object()), \(Samples.object(["id": "\"two\""])), \(Samples.object())]"
    let problem = "shopper 3: \"id\": shopper 1 is called \"one\" already"
    #expect(throws: ShopperFileError(file: "mine.json", problem: problem)) { try file(text).shoppers() }
  }

  /// Expects the problem with the third of three shoppers, of which the others are fine.
  private func expect(
    _ problem: String, for fields: [String: String?], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let text = "[\(Samples.object()), \(Samples.object(["id": "\"two\""])), \(Samples.object(fields))]"
    let error = ShopperFileError(file: "mine.json", problem: "shopper 3: \(problem)")
    #expect(throws: error, sourceLocation: sourceLocation) { try file(text).shoppers() }
  }

  private func file(_ text: String) -> ShopperFile {
    ShopperFile(name: "mine.json", contents: Data(text.utf8))
  }
}
