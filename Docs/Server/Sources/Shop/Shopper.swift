package import PlugKeys

/// Whom a request is for: what the rules decide by.
package struct Shopper: Sendable {
  package enum Tier: String, Sendable {
    case standard, gold, platinum
  }

  package let id: String

  /// The country of delivery, as in ISO 3166; `nil` if the app does not know it yet.
  package let country: String?

  /// The version of the shopper's app; `nil` in a browser.
  package let appVersion: SemanticVersion?

  package let tier: Tier

  package init(id: String, country: String?, appVersion: SemanticVersion?, tier: Tier) {
    self.id = id
    self.country = country
    self.appVersion = appVersion
    self.tier = tier
  }
}
