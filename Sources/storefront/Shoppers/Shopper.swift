import Plug

/// Whoever the storefront is shown to: the context that all its rules look at.
struct Shopper: Sendable, Equatable, Identifiable, Decodable {
  let id: String

  /// The country that is delivered to, as ISO 3166 has it: "DE".
  let country: String

  /// The tier of the account; guests have none.
  let tier: Tier?

  let appVersion: SemanticVersion
  let features: Set<String>
  let basket: Basket
}

extension Shopper: FeatureContext {
  /// What `.feature` looks at.
  var enabledFeatures: Set<String> { features }
}
