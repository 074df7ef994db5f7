/// A version as semver.org 2.0.0 defines it: `1.2.3-beta.1+build.5`.
///
/// Versions are compared by precedence: numbers by value, a pre-release before its release, build metadata not at
/// all; two versions that differ in build metadata only are equal. Numbers may have any length.
///
/// ```swift
/// let rule: Rule<Shopper> = .atLeast(\.appVersion, SemanticVersion(2, 1, 0))
/// SemanticVersion("1.0.0-alpha")! < SemanticVersion(1, 0, 0)
/// ```
public struct SemanticVersion: Sendable {
  /// A number without leading zeros, of any length.
  struct Number: Sendable, Hashable {
    let digits: String
  }

  enum Identifier: Sendable, Hashable {
    case number(Number)
    case text(String)
  }

  let numbers: [Number]
  let identifiers: [Identifier]

  /// The identifiers after the hyphen, joined by dots; empty for a release.
  public var prerelease: String { identifiers.map(\.text).joined(separator: ".") }

  /// The identifiers after the plus sign, joined by dots; empty if there are none.
  public let buildMetadata: String

  /// Creates a release version.
  public init(_ major: UInt, _ minor: UInt, _ patch: UInt) {
    numbers = [major, minor, patch].map { Number(digits: String($0)) }
    identifiers = []
    buildMetadata = ""
  }
}

extension SemanticVersion: LosslessStringConvertible {
  /// Parses a version.
  ///
  /// - Returns: `nil` if the text does not follow the grammar of semver.org exactly: three numbers without leading
  ///   zeros, no empty identifiers, nothing but ASCII letters, digits and hyphens in them.
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
  /// Whether the first version has lower precedence (semver.org, item 11).
  public static func < (lhs: Self, rhs: Self) -> Bool {
    if lhs.numbers != rhs.numbers { return lhs.numbers.lexicographicallyPrecedes(rhs.numbers) }
    if lhs.identifiers.isEmpty || rhs.identifiers.isEmpty { return !lhs.identifiers.isEmpty }
    return lhs.identifiers.lexicographicallyPrecedes(rhs.identifiers)
  }

  /// Whether both have the same precedence.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.numbers == rhs.numbers && lhs.identifiers == rhs.identifiers
  }
}

extension SemanticVersion: Hashable {
  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(numbers)
    hasher.combine(identifiers)
  }
}

extension SemanticVersion: Codable {
  /// Decodes a version from its text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let version = SemanticVersion(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\"\(text)\" is not a semantic version such as 1.2.3-beta.1")
    }
    self = version
  }

  /// Encodes the version as its text.
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
