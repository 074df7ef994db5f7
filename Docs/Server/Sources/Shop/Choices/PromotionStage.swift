/// The share of shoppers who get the promotion. It changes while the server runs.
package enum PromotionStage: String, Codable, Sendable {
  case off

  /// A quarter of the shoppers, always the same ones.
  case trial

  case everyone
}
