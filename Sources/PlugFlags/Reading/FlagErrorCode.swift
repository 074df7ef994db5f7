/// The kind of error in an evaluation (OpenFeature specification, 1.4.8).
public enum FlagErrorCode: String, Sendable, Hashable, Codable {
  /// The document has no flag with the key.
  case flagNotFound = "FLAG_NOT_FOUND"

  /// The flag is invalid. ``FlagDocument/problems`` describes the mistake.
  case parseError = "PARSE_ERROR"

  /// The value is not of the requested type.
  case typeMismatch = "TYPE_MISMATCH"

  /// The targeting returned something other than a variant's name, or exceeded a limit; or the injector is closed.
  case general = "GENERAL"
}
