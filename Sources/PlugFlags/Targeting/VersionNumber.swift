/// A version as `sem_ver` takes it: Semantic Versioning 2.0.0 (semver.org), with a `v` or `V` in front or not, and
/// without minor and patch, or patch, where nothing follows.
///
/// It is parsed from the bytes of a text, and keeps the text instead of parts of it, so that no memory is allocated.
struct VersionNumber: Sendable {
  private(set) var major: UInt128 = 0
  private(set) var minor: UInt128 = 0
  private(set) var patch: UInt128 = 0

  /// The text, if it has a pre-release, and where the identifiers of that begin and end.
  private var text = ""
  private var prereleaseStart = 0
  private var prereleaseEnd = 0

  /// The version that a string has, or a number as JavaScript writes it: 1 and 1.2 are versions.
  ///
  /// - Returns: `nil` if it is none, or a number of it has more than 38 digits.
  init?(_ value: FlagValue) {
    switch value {
    case .string(let text): self.init(text)
    case .number: self.init(value.asText)
    default: return nil
    }
  }

  init?(_ text: String) {
    if let plain = PlainVersion(text) {
      (major, minor, patch) = (UInt128(plain.major), UInt128(plain.minor), UInt128(plain.patch))
      return
    }
    var scanner = VersionScanner(text)
    if scanner.next == UInt8(ascii: "v") || scanner.next == UInt8(ascii: "V") { scanner.advance() }
    guard let major = scanner.takeNumber() else { return nil }
    self.major = major
    guard scanner.next != nil else { return }
    guard scanner.skip("."), let minor = scanner.takeNumber() else { return nil }
    self.minor = minor
    guard scanner.next != nil else { return }
    guard scanner.skip("."), let patch = scanner.takeNumber() else { return nil }
    self.patch = patch
    if scanner.skip("-") {
      let start = scanner.position
      guard scanner.skipIdentifiers(until: "+", mayBeNumbers: true) else { return nil }
      (self.text, prereleaseStart, prereleaseEnd) = (text, start, scanner.position)
    }
    guard scanner.next != nil else { return }
    guard scanner.skip("+"), scanner.skipIdentifiers(until: nil, mayBeNumbers: false) else { return nil }
  }

  /// Compares precedence (semver.org, item 11).
  ///
  /// - Returns: Less than 0 if this version is lower, 0 if they are equal, more than 0 if it is higher.
  func order(to other: VersionNumber) -> Int {
    if major != other.major { return major < other.major ? -1 : 1 }
    if minor != other.minor { return minor < other.minor ? -1 : 1 }
    if patch != other.patch { return patch < other.patch ? -1 : 1 }
    if isRelease || other.isRelease { return (isRelease ? 1 : 0) - (other.isRelease ? 1 : 0) }
    var (rest, otherRest) = (identifiers, other.identifiers)
    while !rest.isEmpty, !otherRest.isEmpty {
      let order = Self.order(Self.takeIdentifier(&rest), Self.takeIdentifier(&otherRest))
      if order != 0 { return order }
    }
    return (rest.isEmpty ? 0 : 1) - (otherRest.isEmpty ? 0 : 1)
  }

  /// The identifiers of the pre-release with the dots between.
  private var identifiers: Substring.UTF8View {
    text.utf8.prefix(prereleaseEnd).dropFirst(prereleaseStart)
  }

  private var isRelease: Bool { prereleaseEnd == 0 }

  private static func takeIdentifier(_ rest: inout Substring.UTF8View) -> Substring.UTF8View {
    let end = rest.firstIndex(of: UInt8(ascii: ".")) ?? rest.endIndex
    defer { rest = rest[end...].dropFirst() }
    return rest[..<end]
  }

  /// Numbers by value, texts by their bytes, and numbers before texts.
  private static func order(_ left: Substring.UTF8View, _ right: Substring.UTF8View) -> Int {
    let (isLeftNumber, isRightNumber) = (left.allSatisfy(\.isDigit), right.allSatisfy(\.isDigit))
    if isLeftNumber != isRightNumber { return isLeftNumber ? -1 : 1 }
    if isLeftNumber, left.count != right.count { return left.count - right.count }
    if left.elementsEqual(right) { return 0 }
    return left.lexicographicallyPrecedes(right) ? -1 : 1
  }
}

/// The bytes of a version, one after another.
private struct VersionScanner {
  private var bytes: String.UTF8View.Iterator
  private(set) var next: UInt8?
  private(set) var position = 0

  init(_ text: String) {
    bytes = text.utf8.makeIterator()
    next = bytes.next()
  }

  @inline(__always)
  mutating func advance() {
    next = bytes.next()
    position += 1
  }

  /// Passes over a byte if it comes next.
  mutating func skip(_ byte: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: byte) else { return false }
    advance()
    return true
  }

  /// Reads a number without leading zeros.
  mutating func takeNumber() -> UInt128? {
    guard let first = next, first.isDigit else { return nil }
    let start = position
    var number: UInt128 = 0
    while let byte = next, byte.isDigit {
      guard position - start < 38 else { return nil }
      number = number * 10 + UInt128(byte &- UInt8(ascii: "0"))
      advance()
    }
    return first == UInt8(ascii: "0") && position - start > 1 ? nil : number
  }

  /// Passes over identifiers with dots between, up to a byte or the end.
  ///
  /// - Parameter mayBeNumbers: Whether those of digits are numbers, which have no leading zeros.
  /// - Returns: Whether they are well formed.
  mutating func skipIdentifiers(until end: Unicode.Scalar?, mayBeNumbers: Bool) -> Bool {
    repeat {
      let (start, first) = (position, next)
      var isNumber = true
      while let byte = next, byte.isIdentifierByte {
        isNumber = isNumber && byte.isDigit
        advance()
      }
      let count = position - start
      if count == 0 || mayBeNumbers && isNumber && count > 1 && first == UInt8(ascii: "0") { return false }
    } while skip(".")
    return next == nil || next == end.map { UInt8(ascii: $0) }
  }
}

extension UInt8 {
  fileprivate var isIdentifierByte: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
