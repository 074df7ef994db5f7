import Testing

@testable import Plug

@Suite("MurmurHash3 x86 32 with seed 0")
struct MurmurHash3Tests {
  /// Values of the reference implementation in SMHasher, computed with the Python package mmh3 5.
  static let vectors: [(String, UInt32)] = [
    ("", 0),
    ("a", 0x3c25_69b2),
    ("ab", 0x9bbf_d75f),
    ("abc", 0xb3dd_93fa),
    ("abcd", 0x43ed_676a),
    ("abcde", 0xe89b_9af6),
    ("abcdef", 0x6181_c085),
    ("abcdefg", 0x883c_9b06),
    ("abcdefgh", 0x49dd_ccc4),
    ("abcdefghi", 0x4214_06f0),
    ("test", 0xba6b_d213),
    ("Hello, world!", 0xc036_3e43),
    ("The quick brown fox jumps over the lazy dog", 0x2e4f_f723),
    ("\0", 0x514e_28b7),
    ("\0\0\0\0", 0x2362_f9de),
    ("ä", 0x7e32_d1d4),
    ("ÿ", 0xb189_590e),
    ("€", 0x5b43_fca5),
    ("é€", 0x1d23_cd9f),
    ("😀", 0xbeb4_2efa),
    ("日本語", 0xa5a4_7297),
    ("Привет, мир", 0xe87b_792c),
    ("👨\u{200D}👩\u{200D}👧\u{200D}👦", 0xdc26_b818),
  ]

  @Test("returns the published values", arguments: vectors)
  func vector(_ text: String, _ hash: UInt32) {
    var hasher = MurmurHash3()
    hasher.combine(text)
    #expect(hasher.finalize() == hash)
  }

  @Test("returns the same value for every division of the text", arguments: vectors)
  func division(_ text: String, _ hash: UInt32) {
    for index in text.unicodeScalars.indices {
      var hasher = MurmurHash3()
      hasher.combine(String(text[..<index]))
      hasher.combine("")
      hasher.combine(String(text[index...]))
      #expect(hasher.finalize() == hash)
    }
  }

  @Test("hashes bytes, so that the two encodings of an é differ")
  func bytes() {
    #expect("\u{E9}" == "e\u{301}")
    #expect(hash(of: "\u{E9}") == 0x1011_0787)
    #expect(hash(of: "e\u{301}") == 0x9f32_a268)
  }

  @Test("can be read before its end")
  func prefix() {
    var hasher = MurmurHash3()
    hasher.combine("abc")
    #expect(hasher.finalize() == 0xb3dd_93fa)
    hasher.combine("de")
    #expect(hasher.finalize() == 0xe89b_9af6)
  }

  private func hash(of text: String) -> UInt32 {
    var hasher = MurmurHash3()
    hasher.combine(text)
    return hasher.finalize()
  }
}
