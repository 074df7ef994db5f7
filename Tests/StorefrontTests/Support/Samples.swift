import Foundation
import Plug
import PlugKeys

@testable import storefront

/// Shoppers for tests, as JSON and as values.
enum Samples {
  /// A morning on which nothing is special.
  static var time: Moment { Moment(Date(timeIntervalSince1970: 1_795_168_800)) }

  /// A shopper as JSON text, in which some fields have other values or, with `nil`, are left out.
  static func object(_ changes: [String: String?] = [:]) -> String {
    var fields: [String: String?] = [
      "id": "\"one\"",
      "country": "\"DE\"",
      "tier": "\"premium\"",
      "appVersion": "\"1.2.3\"",
      "features": "[\"beta\"]",
      "basket": "{ \"totalInCents\": 1000, \"weightInGrams\": 500 }",
    ]
    fields.merge(changes) { $1 }
    let lines = fields.compactMap { field, value in value.map { "\"\(field)\": \($0)" } }
    return "{ \(lines.joined(separator: ", ")) }"
  }

  /// A list with one shopper who has no tier.
  static let guest = "[\(object(["tier": nil]))]"

  /// A standard shopper in the country of the warehouse.
  static func shopper(
    tier: Tier? = .standard, country: String = "DE", appVersion: String = "3.2.0", features: Set<String> = [],
    totalInCents: Int = 10_00, weightInGrams: Int = 500
  ) throws -> Shopper {
    struct NotAVersion: Error {}
    guard let version = SemanticVersion(appVersion) else { throw NotAVersion() }
    return Shopper(
      id: "one", country: country, tier: tier, appVersion: version, features: features,
      basket: Basket(totalInCents: totalInCents, weightInGrams: weightInGrams))
  }
}
