/// What went wrong in an evaluation (OpenFeature specification, 1.4.8).
public enum FlagErrorCode: String, Sendable, Hashable, Codable {
  /// The document has no flag of the key.
  case flagNotFound = "FLAG_NOT_FOUND"

  /// The flag is wrong. ``FlagDocument/problems`` describes the mistake.
  case parseError = "PARSE_ERROR"

  /// The value is not of the type that was asked for.
  case typeMismatch = "TYPE_MISMATCH"

  /// The targeting gave something else than the name of a variant, or took too many steps.
  case general = "GENERAL"
}
