/// A version as defined by Semantic Versioning 2.0.0 (semver.org): `1.2.3-beta.1+build.5`.
///
/// ```swift
/// let rule: Rule<Shopper> = .atLeast(\.appVersion, SemanticVersion(2, 1, 0))
/// SemanticVersion("3.3.0-beta.2")  // nil if the text is not a version
/// ```
///
/// Versions are compared by precedence: numbers by value, a pre-release before its release, and build metadata not at
/// all. Two versions that differ in build metadata only are equal. Numbers may have any length.
public struct SemanticVersion: Sendable {
  /// The numbers of a release, if each has up to 18 digits. Other versions are compared as texts.
  private let release: PlainVersion?
  /// The version as it was parsed; `nil` if it has nothing but the numbers of a release.
  private let text: String?

  /// The identifiers after the hyphen, separated by dots; empty for a release.
  public var prerelease: String { String(parts.prerelease) }

  /// The identifiers after the plus sign, separated by dots; empty if there are none.
  public var buildMetadata: String { String(parts.build) }

  /// Creates the version of a release.
  ///
  /// - Parameters:
  ///   - major: The number that changes with incompatible changes.
  ///   - minor: The number that changes with new functionality.
  ///   - patch: The number that changes with corrections.
  public init(_ major: UInt, _ minor: UInt, _ patch: UInt) {
    let text = "\(PlainVersion(UInt64(major), UInt64(minor), UInt64(patch)))"
    release = PlainVersion(text)
    self.text = release == nil ? text : nil
  }

  /// The parts of a text. It has each, also an empty one, if there is its sign.
  private struct Parts {
    let core: Substring
    var prerelease: Substring = ""
    var build: Substring = ""
    /// What decides which version is higher.
    let precedence: Substring
    let hasPrerelease: Bool
    let hasBuild: Bool

    init(_ text: String) {
      let halves = Substring(text).split(at: "+", limit: 2)
      let front = halves[0].split(at: "-", limit: 2)
      (core, precedence) = (front[0], halves[0])
      (hasPrerelease, hasBuild) = (front.count == 2, halves.count == 2)
      if hasPrerelease { prerelease = front[1] }
      if hasBuild { build = halves[1] }
    }

    var identifiers: [Substring] { hasPrerelease ? prerelease.split(at: ".") : [] }

    var isWellFormed: Bool {
      let numbers = core.split(at: ".")
      if numbers.count != 3 { return false }
      for number in numbers where !number.isNumber || !number.isIdentifier(orZeros: false) { return false }
      for identifier in identifiers where !identifier.isIdentifier(orZeros: false) { return false }
      for identifier in hasBuild ? build.split(at: ".") : [] where !identifier.isIdentifier(orZeros: true) {
        return false
      }
      return true
    }
  }

  private var parts: Parts { Parts(description) }
}

extension SemanticVersion: LosslessStringConvertible {
  /// Parses a version.
  ///
  /// - Parameter text: The version as text.
  /// - Returns: `nil` unless the text follows the grammar of semver.org exactly: three numbers without leading zeros,
  ///   and no empty identifiers or ones with other characters than ASCII letters, digits and hyphens.
  public init?(_ text: String) {
    if let plain = PlainVersion(text) {
      (release, self.text) = (plain, nil)
    } else {
      let parts = Parts(text)
      if !parts.isWellFormed { return nil }
      (release, self.text) = (PlainVersion(String(parts.precedence)), text)
    }
  }

  /// The version as text, as it was parsed.
  public var description: String { text ?? release?.description ?? "" }
}

extension SemanticVersion: Comparable {
  /// Returns whether the first version has lower precedence (semver.org, item 11).
  public static func < (lhs: Self, rhs: Self) -> Bool {
    if let left = lhs.release, let right = rhs.release { return left.order(to: right) < 0 }
    let (left, right) = (lhs.parts, rhs.parts)
    if left.core != right.core {
      return isOrdered(left.core.split(at: "."), right.core.split(at: "."))
    }
    if !left.hasPrerelease || !right.hasPrerelease { return left.hasPrerelease && !right.hasPrerelease }
    return isOrdered(left.identifiers, right.identifiers)
  }

  /// Whether the first of two lists is lower. Numbers are lower than texts.
  private static func isOrdered(_ first: [Substring], _ second: [Substring]) -> Bool {
    for (left, right) in zip(first, second) where left != right {
      let isNumber = left.isNumber
      if isNumber != right.isNumber { return isNumber }
      let (count, other) = (left.utf8.count, right.utf8.count)
      return isNumber && count != other ? count < other : left < right
    }
    return first.count < second.count
  }

  /// Returns whether both versions have the same precedence.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    if lhs.release != nil || rhs.release != nil { return lhs.release == rhs.release }
    return lhs.parts.precedence == rhs.parts.precedence
  }
}

extension SemanticVersion: Hashable {
  /// Hashes what `==` compares, which excludes build metadata.
  public func hash(into hasher: inout Hasher) {
    if let release { hasher.combine(release) } else { hasher.combine(parts.precedence) }
  }
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
  /// The parts between a sign; the last one has all the rest.
  fileprivate func split(at sign: Unicode.Scalar, limit: Int = .max) -> [Substring] {
    var (parts, rest) = ([Substring](), self)
    while parts.count < limit - 1, let end = rest.utf8.firstIndex(of: UInt8(ascii: sign)) {
      parts.append(rest[..<end])
      rest = rest[rest.utf8.index(after: end)...]
    }
    return parts + [rest]
  }

  @inline(never)
  fileprivate var isNumber: Bool { !isEmpty && utf8.allSatisfy { $0.isDigit } }

  /// Whether it has ASCII letters, digits and hyphens, and at least one of them.
  ///
  /// - Parameter orZeros: Whether a number may begin with a zero.
  @inline(never)
  fileprivate func isIdentifier(orZeros: Bool) -> Bool {
    if !orZeros, utf8.first == UInt8(ascii: "0"), utf8.count > 1, isNumber { return false }
    for byte in utf8 {
      let lowercase = byte | 0x20
      let isLetter = lowercase >= UInt8(ascii: "a") && lowercase <= UInt8(ascii: "z")
      if !isLetter, !byte.isDigit, byte != UInt8(ascii: "-") { return false }
    }
    return !isEmpty
  }
}
