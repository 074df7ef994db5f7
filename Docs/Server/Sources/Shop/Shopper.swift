package import PlugKeys

/// The shopper who sends a request: the context of the rules.
package struct Shopper: Sendable {
  package enum Tier: String, Sendable {
    case standard, gold, platinum
  }

  package let id: String

  /// The country of delivery as an ISO 3166 code; `nil` if the app does not know it yet.
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
