/// The reason for the result of an evaluation (OpenFeature specification, 2.2.5).
public enum FlagReason: String, Sendable, Hashable, Codable {
  /// The flag has no targeting, so the default variant is used.
  case `static` = "STATIC"

  /// The targeting chose nothing, or there is no default variant, so the default is used.
  case `default` = "DEFAULT"

  /// The targeting chose the variant.
  case targetingMatch = "TARGETING_MATCH"

  /// The flag is disabled, so the caller's default is used.
  case disabled = "DISABLED"

  /// There is an error, so the caller's default is used.
  case error = "ERROR"
}
