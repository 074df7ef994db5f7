/// A version as defined by Semantic Versioning 2.0.0 (semver.org): `1.2.3-beta.1+build.5`.
///
/// ```swift
/// let rule: Rule<Shopper> = .atLeast(\.appVersion, "2.1.0")
/// SemanticVersion(text)  // nil if the string is not a version
/// ```
///
/// Versions are compared by precedence: numbers by value, and a pre-release before its release. Build metadata is
/// ignored, so versions that differ only in build metadata are equal. Numbers may have any length.
public struct SemanticVersion: Sendable {
  /// The version as text, as it was parsed.
  public let description: String

  /// The parts that decide the precedence: three numbers, and the identifiers of a pre-release.
  package let identifiers: [Substring]

  /// The identifiers after the hyphen, separated by dots; empty for a release.
  public var prerelease: String { identifiers[3...].joined(separator: ".") }

  /// The identifiers after the plus sign, separated by dots; empty if there are none.
  public var buildMetadata: String { description[...].parts(at: "+", limit: 1).dropFirst().joined() }

  /// Creates the version of a release.
  ///
  /// - Parameters:
  ///   - major: The major version, which changes with incompatible changes.
  ///   - minor: The minor version, which changes with new functionality.
  ///   - patch: The patch version, which changes with corrections.
  public init(_ major: UInt, _ minor: UInt, _ patch: UInt) {
    description = "\(major).\(minor).\(patch)"
    identifiers = description[...].parts(at: ".")
  }
}

extension SemanticVersion: LosslessStringConvertible {
  /// Parses a version, as a flag document does.
  ///
  /// ```swift
  /// SemanticVersion("v3.9")  // equals SemanticVersion(3, 9, 0)
  /// ```
  ///
  /// - Parameter text: The version as text.
  /// - Returns: `nil` unless the text follows the grammar of semver.org: three numbers without leading zeros, and
  ///   nonempty identifiers of ASCII letters, digits and hyphens. It may begin with `v`. A version without a
  ///   pre-release and build metadata may omit the patch version, or the minor and the patch version.
  public init?(_ text: String) {
    let isPrefixed = text.hasPrefix("v") || text.hasPrefix("V")
    let halves = text.dropFirst(isPrefixed ? 1 : 0).parts(at: "+", limit: 1)
    let front = halves[0].parts(at: "-", limit: 1)
    var numbers = front[0].parts(at: ".")
    if halves.count == 1, front.count == 1, numbers.count < 3 {
      numbers += Array(repeating: "0", count: 3 - numbers.count)
    }
    if numbers.count != 3 { return nil }
    description = text
    identifiers = numbers + front.dropFirst().flatMap { $0.parts(at: ".") }
    for (place, identifier) in identifiers.enumerated() {
      let isNumber = identifier.isNumber
      if !identifier.isIdentifier || place < 3 && !isNumber { return nil }
      if isNumber, identifier.utf8.first == UInt8(ascii: "0"), identifier.utf8.count > 1 { return nil }
    }
    for half in halves[1...] { if !half.parts(at: ".").allSatisfy(\.isIdentifier) { return nil } }
  }
}

extension SemanticVersion: ExpressibleByStringLiteral {
  /// Creates a version from a literal, which must be a version.
  public init(stringLiteral text: String) {
    guard let version = Self(text) else { fatalError("\"\(text)\" is not a semantic version such as 1.2.3-beta.1") }
    self = version
  }
}

extension SemanticVersion: Comparable {
  /// Returns whether the first version has lower precedence (semver.org, item 11).
  public static func < (lhs: Self, rhs: Self) -> Bool {
    // Numbers are lower than strings.
    for (left, right) in zip(lhs.identifiers, rhs.identifiers) where left != right {
      let isNumber = left.isNumber
      if isNumber != right.isNumber { return isNumber }
      let (count, other) = (left.utf8.count, right.utf8.count)
      return isNumber && count != other ? count < other : left < right
    }
    let (count, other) = (lhs.identifiers.count, rhs.identifiers.count)
    return count > 3 && (other == 3 || count < other)
  }

  /// Returns whether both versions have the same precedence.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.identifiers == rhs.identifiers }
}

extension SemanticVersion: Hashable {
  /// Hashes the parts that `==` compares, without build metadata.
  public func hash(into hasher: inout Hasher) { hasher.combine(identifiers) }
}

extension SemanticVersion: Codable {
  /// Decodes a version from a string.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if the string is not a version.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let version = SemanticVersion(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\"\(text)\" is not a semantic version such as 1.2.3-beta.1")
    }
    self = version
  }

  /// Encodes the version as a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension Substring {
  /// The parts between occurrences of a sign, including empty parts.
  @inline(never)
  fileprivate func parts(at sign: Character, limit: Int = .max) -> [Substring] {
    split(separator: sign, maxSplits: limit, omittingEmptySubsequences: false)
  }

  @inline(never)
  fileprivate var isNumber: Bool { !isEmpty && utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } }

  /// Whether the text consists of ASCII letters, digits and hyphens, and is not empty.
  @inline(never)
  fileprivate var isIdentifier: Bool {
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): continue
      // Sets the bit that distinguishes lower case from upper case.
      case _ where UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20: continue
      default: return false
      }
    }
    return !isEmpty
  }
}
