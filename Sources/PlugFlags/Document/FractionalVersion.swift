import Plug

/// How `fractional` finds the bucket of an identifier. All programs that read a document have to agree on it.
///
/// ```swift
/// let document = try FlagDocument(text, fractional: .v3)
/// ```
///
/// Identifiers change their buckets from one version to the other.
public enum FractionalVersion: Sendable, Hashable {
  /// The hash of the bucketing value, which is a string: by default the flag key followed by the targeting key.
  case v2

  /// The hash of the bucketing value in deterministic CBOR: by default of an array of the flag key and the targeting
  /// key (flagd's decision "Harden Hashing Consistency And Add Support For Non-string Attributes in Fractional
  /// Evaluation", accepted in 2025). Any value but null and arrays is a bucketing value.
  case v3

  /// The hashing of rollouts with this version.
  var hashing: RolloutHashing { self == .v2 ? .flagd : .flagdV3 }
}
