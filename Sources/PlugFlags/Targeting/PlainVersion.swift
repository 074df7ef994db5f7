/// Three numbers, which are all that most versions have. They are copied without counting references, and read and
/// compared in a fraction of the time that a whole version takes.
struct PlainVersion: Sendable {
  let major, minor, patch: UInt64

  init(_ major: UInt64, _ minor: UInt64, _ patch: UInt64) {
    (self.major, self.minor, self.patch) = (major, minor, patch)
  }

  /// Parses three numbers of up to 18 digits.
  ///
  /// - Returns: `nil` if the text is another version, or none.
  init?(_ text: String) {
    var (major, minor, patch): (UInt64, UInt64, UInt64) = (0, 0, 0)
    var (digits, dots) = (0, 0)
    let isWellFormed = text.utf8.allSatisfy { byte in
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
    self.init(major, minor, patch)
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
