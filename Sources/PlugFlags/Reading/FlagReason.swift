/// The reason of an evaluation (OpenFeature specification, 2.2.5).
public enum FlagReason: String, Sendable, Hashable, Codable {
  /// The flag has no targeting: the default variant.
  case `static` = "STATIC"

  /// The targeting chose nothing, or there is no default variant: the default.
  case `default` = "DEFAULT"

  /// The targeting chose the variant.
  case targetingMatch = "TARGETING_MATCH"

  /// The flag is disabled: the caller's default.
  case disabled = "DISABLED"

  /// There is an error: the caller's default.
  case error = "ERROR"
}
