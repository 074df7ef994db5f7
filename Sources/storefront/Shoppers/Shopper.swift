import Plug
import PlugKeys

/// A visitor of the storefront: the context of all of its rules.
struct Shopper: Sendable, Equatable, Identifiable, Decodable {
  let id: String

  /// The delivery country as an ISO 3166 code: "DE".
  let country: String

  /// The tier of the account; `nil` for guests.
  let tier: Tier?

  let appVersion: SemanticVersion
  let features: Set<String>
  let basket: Basket
}

extension Shopper: FeatureContext {
  /// The features for which `.feature` is satisfied.
  var enabledFeatures: Set<String> { features }
}
