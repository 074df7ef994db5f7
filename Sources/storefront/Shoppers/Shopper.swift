import Plug
import PlugKeys

/// A visitor of the storefront: the context that all of its rules look at.
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
  /// The features that `.feature` looks at.
  var enabledFeatures: Set<String> { features }
}
