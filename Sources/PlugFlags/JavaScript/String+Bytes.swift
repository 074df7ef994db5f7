/// Comparisons of strings by their UTF-8 bytes, as in other languages. `String` itself treats canonically equivalent
/// strings as equal.
extension String {
  /// Whether both strings have the same bytes.
  func hasSameBytes(as other: String) -> Bool {
    // For strings that are not even canonically equivalent, `==` is faster than a comparison of bytes.
    utf8.count == other.utf8.count && self == other && hasBytes(of: other, at: 0)
  }

  /// Whether the text begins with the bytes of another.
  func hasBytePrefix(_ prefix: String) -> Bool {
    hasBytes(of: prefix, at: 0)
  }

  /// Whether the text ends with the bytes of another.
  func hasByteSuffix(_ suffix: String) -> Bool {
    let surplus = utf8.count - suffix.utf8.count
    return surplus >= 0 && hasBytes(of: suffix, at: surplus)
  }

  /// Whether the text contains the bytes of another (Knuth, Morris and Pratt, 1977).
  ///
  /// - Complexity: O(*n* + *m*) for strings of *n* and *m* bytes.
  func containsBytes(of part: String) -> Bool {
    let part = Array(part.utf8)
    if part.isEmpty { return true }
    // For each prefix of the part, the length of its longest proper suffix that is also a prefix of the part.
    var (borders, count) = ([0], 0)
    func advance(_ byte: UInt8) {
      while count > 0, part[count] != byte { count = borders[count - 1] }
      if part[count] == byte { count += 1 }
    }
    for byte in part.dropFirst() {
      advance(byte)
      borders.append(count)
    }
    count = 0
    for byte in utf8 {
      advance(byte)
      if count == part.count { return true }
    }
    return false
  }

  /// Whether the bytes of another text start at an offset, which is not negative.
  private func hasBytes(of other: String, at offset: Int) -> Bool {
    let result = utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { others in
        offset <= bytes.count - others.count && bytes[offset...].starts(with: others)
      }
    }
    return (result ?? nil) ?? utf8.dropFirst(offset).starts(with: other.utf8)
  }
}
