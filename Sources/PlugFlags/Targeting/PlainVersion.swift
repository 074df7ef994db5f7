/// A version that consists of three numbers, as most do. Copying it takes no reference counting; reading and comparing
/// it take a fraction of the time of a `SemanticVersion`.
struct PlainVersion {
  private var major: UInt64 = 0
  private var minor: UInt64 = 0
  private var patch: UInt64 = 0

  /// Parses three numbers of up to 18 digits.
  init?(_ value: FlagValue) {
    guard case .string(let text) = value else { return nil }
    var (digits, dots) = (0, 0)
    let isWellFormed = text.utf8.allSatisfy { byte in
      if byte.isDigit {
        // A number that begins with 0 has no other digits.
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

  @inline(__always)
  func compares(_ comparison: VersionComparison, with other: Self) -> Bool {
    let equal = major != other.major ? 0 : minor != other.minor ? 1 : 2
    let (left, right) = ((major, minor, patch), (other.major, other.minor, other.patch))
    return comparison.holds(left == right ? 0 : left < right ? -1 : 1, equal: equal)
  }
}

extension UInt8 {
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  var hexDigitValue: Int? { Character(Unicode.Scalar(self)).hexDigitValue }
}
