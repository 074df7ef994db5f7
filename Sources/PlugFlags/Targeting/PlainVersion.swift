import Plug

/// A version like most: three numbers of up to 18 digits, and nothing else. It is read and compared in a fraction of
/// the time that a ``VersionNumber`` takes.
struct PlainVersion: Sendable {
  private(set) var major: UInt64 = 0
  private(set) var minor: UInt64 = 0
  private(set) var patch: UInt64 = 0

  /// - Returns: `nil` if the value is another version, or none.
  init?(_ value: FlagValue) {
    guard case .string(let text) = value else { return nil }
    self.init(text)
  }

  init?(_ text: String) {
    var (digits, dots) = (0, 0)
    let isWellFormed = text.allBytesSatisfy { byte in
      if byte.isDigit {
        // After a 0 that a number begins with, there is no other digit.
        guard digits < 18, digits == 0 || patch > 0 else { return false }
        patch = patch &* 10 &+ UInt64(byte &- UInt8(ascii: "0"))
        digits += 1
      } else {
        guard byte == UInt8(ascii: "."), digits > 0, dots < 2 else { return false }
        (major, minor, patch) = (minor, patch, 0)
        (digits, dots) = (0, dots + 1)
      }
      return true
    }
    guard isWellFormed, dots == 2, digits > 0 else { return nil }
  }

  /// Compares precedence.
  ///
  /// - Returns: Less than 0 if this version is lower, 0 if they are equal, more than 0 if it is higher.
  func order(to other: PlainVersion) -> Int {
    if major != other.major { return major < other.major ? -1 : 1 }
    if minor != other.minor { return minor < other.minor ? -1 : 1 }
    return patch == other.patch ? 0 : patch < other.patch ? -1 : 1
  }
}

extension UInt8 {
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
