/// The reason for the result of an evaluation (OpenFeature specification, 2.2.5).
///
/// A branch of targeting can have a reason of its own, such as `SPLIT`; see <doc:FollowingFlags>.
public struct FlagReason: RawRepresentable, Sendable, Hashable, Codable {
  /// The name of the reason.
  public let rawValue: String

  /// Creates a reason from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The flag has no targeting, so the default variant is used.
  public static let `static` = Self(rawValue: "STATIC")

  /// The targeting chose nothing, or there is no default variant, so the default is used.
  public static let `default` = Self(rawValue: "DEFAULT")

  /// The targeting chose the variant.
  public static let targetingMatch = Self(rawValue: "TARGETING_MATCH")

  /// The flag is disabled, so the caller's default is used.
  public static let disabled = Self(rawValue: "DISABLED")

  /// There is an error, so the caller's default is used.
  public static let error = Self(rawValue: "ERROR")
}
