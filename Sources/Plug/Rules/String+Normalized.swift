@_spi(_Unicode) import Swift

extension String {
  /// The text in normalization form C (Unicode Standard Annex 15), in which equal strings have equal bytes.
  var normalized: String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return self }
    var text = ""
    for scalar in _nfc { text.unicodeScalars.append(scalar) }
    return text
  }
}
