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

  /// What few versions have. It is an object, so that the others are copied without counting references.
  private final class Details: Sendable {
    /// The three numbers, if one of them has more than 64 bits.
    let longNumbers: [Number]?
    let identifiers: [Identifier]
    let buildMetadata: String

    init(longNumbers: [Number]?, identifiers: [Identifier], buildMetadata: String) {
      (self.longNumbers, self.identifiers, self.buildMetadata) = (longNumbers, identifiers, buildMetadata)
    }
  }

  /// The three numbers; zeros if one of them has more than 64 bits.
  private let plain: PlainVersion
  private let details: Details?

  private var longNumbers: [Number]? { details?.longNumbers }
  private var identifiers: [Identifier] { details?.identifiers ?? [] }

  /// The identifiers after the hyphen, separated by dots; empty for a release.
  public var prerelease: String { identifiers.map(\.text).joined(separator: ".") }

  /// The identifiers after the plus sign, separated by dots; empty if there are none.
  public var buildMetadata: String { details?.buildMetadata ?? "" }

  /// Creates the version of a release.
  ///
  /// - Parameters:
  ///   - major: The number that changes with incompatible changes.
  ///   - minor: The number that changes with new functionality.
  ///   - patch: The number that changes with corrections.
  public init(_ major: UInt, _ minor: UInt, _ patch: UInt) {
    plain = PlainVersion(UInt64(major), UInt64(minor), UInt64(patch))
    details = nil
  }
}

extension SemanticVersion: LosslessStringConvertible {
  /// Parses a version.
  ///
  /// - Parameter text: The version as text.
  /// - Returns: `nil` unless the text follows the grammar of semver.org exactly: three numbers without leading zeros,
  ///   and no empty identifiers or ones with other characters than ASCII letters, digits and hyphens.
  public init?(_ text: String) {
    if let plain = PlainVersion(text) {
      (self.plain, details) = (plain, nil)
      return
    }
    let halves = text.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
    let front = halves[0].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = front[0].split(separator: ".", omittingEmptySubsequences: false).map(Number.init)
    guard numbers.count == 3, !numbers.contains(nil) else { return nil }
    let longNumbers = numbers.compactMap(\.self)
    let short = longNumbers.compactMap { UInt64($0.digits) }
    plain = short.count == 3 ? PlainVersion(short[0], short[1], short[2]) : PlainVersion(0, 0, 0)

    let identifiers = front.dropFirst().flatMap { $0.split(separator: ".", omittingEmptySubsequences: false) }
    let parsed = identifiers.map(Identifier.init)
    guard !parsed.contains(nil) else { return nil }

    let build = halves.dropFirst().flatMap { $0.split(separator: ".", omittingEmptySubsequences: false) }
    guard build.allSatisfy(Identifier.isWellFormed) else { return nil }
    details = Details(
      longNumbers: short.count == 3 ? nil : longNumbers, identifiers: parsed.compactMap(\.self),
      buildMetadata: build.joined(separator: "."))
  }

  /// The version as text, as it was parsed.
  public var description: String {
    var text = longNumbers.map { $0.map(\.digits).joined(separator: ".") } ?? plain.description
    if !identifiers.isEmpty { text += "-" + prerelease }
    if !buildMetadata.isEmpty { text += "+" + buildMetadata }
    return text
  }
}

extension SemanticVersion: Comparable {
  /// Returns whether the first version has lower precedence (semver.org, item 11).
  public static func < (lhs: Self, rhs: Self) -> Bool {
    if lhs.longNumbers != nil || rhs.longNumbers != nil {
      let (left, right) = (lhs.numbers, rhs.numbers)
      if left != right { return left.lexicographicallyPrecedes(right) }
    } else if lhs.plain != rhs.plain {
      return lhs.plain.order(to: rhs.plain) < 0
    }
    if lhs.details == nil, rhs.details == nil { return false }
    if lhs.identifiers.isEmpty || rhs.identifiers.isEmpty { return !lhs.identifiers.isEmpty }
    return lhs.identifiers.lexicographicallyPrecedes(rhs.identifiers)
  }

  /// Returns whether both versions have the same precedence.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    guard lhs.plain == rhs.plain else { return false }
    if lhs.details == nil, rhs.details == nil { return true }
    return lhs.longNumbers == rhs.longNumbers && lhs.identifiers == rhs.identifiers
  }

  private var numbers: [Number] {
    longNumbers ?? [plain.major, plain.minor, plain.patch].map { Number(digits: String($0)) }
  }
}

extension SemanticVersion: Hashable {
  /// Hashes what `==` compares, which excludes build metadata.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(plain)
    hasher.combine(longNumbers)
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
  fileprivate var isLetter: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
  }
}
