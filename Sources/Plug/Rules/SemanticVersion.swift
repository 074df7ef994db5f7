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
  /// A number of any length, without leading zeros.
  struct Number: Sendable, Hashable {
    let digits: String
  }

  /// One of the dot-separated parts of a pre-release.
  enum Identifier: Sendable, Hashable {
    case number(Number)
    case text(String)
  }

  let numbers: [Number]
  let identifiers: [Identifier]

  /// The identifiers after the hyphen, separated by dots; empty for a release.
  public var prerelease: String { identifiers.map(\.text).joined(separator: ".") }

  /// The identifiers after the plus sign, separated by dots; empty if there are none.
  public let buildMetadata: String

  /// Creates the version of a release.
  ///
  /// - Parameters:
  ///   - major: The number that changes with incompatible changes.
  ///   - minor: The number that changes with new functionality.
  ///   - patch: The number that changes with corrections.
  public init(_ major: UInt, _ minor: UInt, _ patch: UInt) {
    numbers = [major, minor, patch].map { Number(digits: String($0)) }
    identifiers = []
    buildMetadata = ""
  }
}

extension SemanticVersion: LosslessStringConvertible {
  /// Parses a version.
  ///
  /// - Parameter text: The version as text.
  /// - Returns: `nil` unless the text follows the grammar of semver.org exactly: three numbers without leading zeros,
  ///   and no empty identifiers or ones with other characters than ASCII letters, digits and hyphens.
  public init?(_ text: String) {
    let halves = text.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
    let front = halves[0].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = front[0].split(separator: ".", omittingEmptySubsequences: false).map(Number.init)
    guard numbers.count == 3, !numbers.contains(nil) else { return nil }
    self.numbers = numbers.compactMap(\.self)

    let identifiers = front.dropFirst().flatMap { $0.split(separator: ".", omittingEmptySubsequences: false) }
    let parsed = identifiers.map(Identifier.init)
    guard !parsed.contains(nil) else { return nil }
    self.identifiers = parsed.compactMap(\.self)

    let build = halves.dropFirst().flatMap { $0.split(separator: ".", omittingEmptySubsequences: false) }
    guard build.allSatisfy(Identifier.isWellFormed) else { return nil }
    buildMetadata = build.joined(separator: ".")
  }

  /// The version as text, as it was parsed.
  public var description: String {
    var text = numbers.map(\.digits).joined(separator: ".")
    if !identifiers.isEmpty { text += "-" + prerelease }
    if !buildMetadata.isEmpty { text += "+" + buildMetadata }
    return text
  }
}

extension SemanticVersion: Comparable {
  /// Returns whether the first version has lower precedence (semver.org, item 11).
  public static func < (lhs: Self, rhs: Self) -> Bool {
    if lhs.numbers != rhs.numbers { return lhs.numbers.lexicographicallyPrecedes(rhs.numbers) }
    if lhs.identifiers.isEmpty || rhs.identifiers.isEmpty { return !lhs.identifiers.isEmpty }
    return lhs.identifiers.lexicographicallyPrecedes(rhs.identifiers)
  }

  /// Returns whether both versions have the same precedence.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.numbers == rhs.numbers && lhs.identifiers == rhs.identifiers
  }
}

extension SemanticVersion: Hashable {
  /// Hashes what `==` compares, which excludes build metadata.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(numbers)
    hasher.combine(identifiers)
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

extension SemanticVersion.Number: Comparable {
  init?(_ text: Substring) {
    guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit), text == "0" || !text.hasPrefix("0") else { return nil }
    digits = String(text)
  }

  static func < (lhs: Self, rhs: Self) -> Bool {
    let (left, right) = (lhs.digits.utf8, rhs.digits.utf8)
    return left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
  }
}

extension SemanticVersion.Identifier: Comparable {
  init?(_ text: Substring) {
    guard Self.isWellFormed(text) else { return nil }
    if text.utf8.allSatisfy(\.isDigit) {
      guard let number = SemanticVersion.Number(text) else { return nil }
      self = .number(number)
    } else {
      self = .text(String(text))
    }
  }

  static func isWellFormed(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0.isDigit || $0.isLetter || $0 == UInt8(ascii: "-") }
  }

  var text: String {
    switch self {
    case .number(let number): number.digits
    case .text(let text): text
    }
  }

  static func < (lhs: Self, rhs: Self) -> Bool {
    switch (lhs, rhs) {
    case (.number(let left), .number(let right)): left < right
    case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
    case (.number, .text): true
    case (.text, .number): false
    }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  fileprivate var isLetter: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
  }
}
