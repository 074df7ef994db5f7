/// How a rollout divides identifiers: the same as other services of a fleet do, in other languages.
///
/// ```swift
/// .rollout(25, of: "one-click", by: \.id, hashing: .flagd)
/// RolloutHashing.flagd.bucket(of: "p-17", in: "one-click")
/// ```
///
/// All of them use MurmurHash3 (x86, 32 bit, seed 0) of UTF-8 bytes. Their results are the same on every platform, and
/// in every version of this library.
public enum RolloutHashing: Sendable, Hashable {
  /// Plug's own: the hash of `name:identifier`, as a fraction of 2³² in percent.
  case plug

  /// That of flagd's `fractional` operator with its default bucketing value: the hash of the name and the identifier,
  /// nothing between, as a fraction of 2³² in percent. At a whole percentage, an identifier is in where flagd gives it
  /// the first of two variants with the weights `percentage` and `100 - percentage`. Older evaluators, which divide the
  /// hash as a signed number, have other buckets.
  case flagd

  /// That of flagd's `fractional` operator in its third version, in which the hash is that of the name and the
  /// identifier as an array in deterministic CBOR (flagd's decision "Harden Hashing Consistency", accepted in 2025).
  /// Identifiers have other buckets than with ``flagd``.
  case flagdV3

  /// That of Unleash's gradual rollout, whose group id is the name: the hash of `name:identifier` modulo 100, plus 1.
  case unleash

  /// The bucket of an identifier.
  ///
  /// - Parameters:
  ///   - identifier: What the bucket is for, such as the id of an account.
  ///   - name: The name of what is rolled out.
  /// - Returns: A number in 0 ..< 100; for ``unleash`` a whole number in 1 ... 100.
  /// - Complexity: O(*n*) for *n* bytes.
  public func bucket(of identifier: String, in name: String) -> Double {
    bucket(of: identifier, after: prefix(name))
  }

  /// The hash of what comes before the identifier.
  package func prefix(_ name: String) -> MurmurHash3 {
    var hash = MurmurHash3()
    switch self {
    case .flagd: hash.combine(name)
    case .flagdV3:
      hash.combine(major: 4, 2)
      hash.combine(cbor: name)
    case .plug, .unleash:
      hash.combine(name)
      hash.combine(":")
    }
    return hash
  }

  func bucket(of identifier: String, after prefix: MurmurHash3) -> Double {
    let value = hash(of: identifier, after: prefix)
    return self == .unleash ? Double(value % 100 + 1) : Double(value) / 0x1p32 * 100
  }

  package func hash(of identifier: String, after prefix: MurmurHash3) -> UInt32 {
    var hash = prefix
    switch self {
    case .plug: hash.combine(identifier.normalized)
    case .flagd, .unleash: hash.combine(identifier)
    case .flagdV3: hash.combine(cbor: identifier)
    }
    return hash.finalize()
  }

  /// Whether a bucket is among the first so many percent.
  func admits(_ bucket: Double, _ percentage: Double) -> Bool {
    self == .unleash ? bucket <= percentage : bucket < percentage
  }
}
