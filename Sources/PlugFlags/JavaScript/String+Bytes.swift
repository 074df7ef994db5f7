/// Comparisons of texts by their bytes in UTF-8, as other languages compare them. Those of `String` take canonically
/// equivalent texts as equal.
extension String {
  /// Whether both texts have the same bytes.
  func hasSameBytes(as other: String) -> Bool {
    // Texts that are not even canonically equivalent are told apart without a look at each byte.
    utf8.count == other.utf8.count && self == other && hasBytes(of: other, at: 0)
  }

  /// Whether all bytes are as wanted, from the first one on.
  @inline(__always)
  func allBytesSatisfy(_ isWanted: (UInt8) -> Bool) -> Bool {
    // A span of bytes takes a third of the time that their iterator takes.
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      let bytes = utf8.span
      for index in bytes.indices where !isWanted(bytes[index]) { return false }
      return true
    }
    return utf8.allSatisfy(isWanted)
  }

  /// Whether the text begins with the bytes of another.
  func hasBytePrefix(_ prefix: String) -> Bool {
    utf8.count >= prefix.utf8.count && hasBytes(of: prefix, at: 0)
  }

  /// Whether the text ends with the bytes of another.
  func hasByteSuffix(_ suffix: String) -> Bool {
    let surplus = utf8.count - suffix.utf8.count
    return surplus >= 0 && hasBytes(of: suffix, at: surplus)
  }

  /// Whether the bytes of another text are somewhere in this one.
  func containsBytes(of part: String) -> Bool {
    guard let first = part.utf8.first else { return true }
    var rest = utf8[...]
    while let start = rest.firstIndex(of: first) {
      rest = rest[start...]
      if rest.starts(with: part.utf8) { return true }
      rest = rest.dropFirst()
    }
    return false
  }

  /// Whether the bytes of another text, which is not longer, are those from an offset on.
  private func hasBytes(of other: String, at offset: Int) -> Bool {
    // A span of bytes takes a fifth of the time that their iterators take.
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      let (bytes, others) = (utf8.span, other.utf8.span)
      for index in others.indices where bytes[offset + index] != others[index] { return false }
      return true
    }
    var bytes = utf8.makeIterator()
    for _ in 0..<offset { _ = bytes.next() }
    for byte in other.utf8 where bytes.next() != byte { return false }
    return true
  }
}
