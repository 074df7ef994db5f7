import Testing

@testable import PlugFlags

@Suite("The reader of JSON (RFC 8259)")
struct JSONReaderTests {
  private func read(_ text: String) throws -> JSON { try JSONReader.read(Array(text.utf8)).value }

  @Test("reads every kind of value")
  func values() throws {
    #expect(try read(" \t\r\n null ") == .null)
    #expect(try read("[true,false]") == .array([.bool(true), .bool(false)]))
    #expect(
      try read("{\"a\" : 1 , \"\" : {}}")
        == .object([.init(key: "a", value: .number(1)), .init(key: "", value: .object([]))]))
    #expect(
      try read("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\ud83d\\ude00\\u0000\"")
        == .string("\"\\/\u{8}\u{C}\n\r\tAé😀\0"))
    #expect(try read("\"é😀\u{7F}\"") == .string("é😀\u{7F}"))
    #expect(try read("\u{FEFF}[]") == .array([]))
    let numbers = "[0, -0, 10, 1.5, -2.5e-3, 1E2, 1e+2, 123456789012345, 1234567890123456, 0.1, 1e-300]"
    #expect(
      try read(numbers)
        == .array(
          [0, 0, 10, 1.5, -0.0025, 100, 100, 123_456_789_012_345.0, 1_234_567_890_123_456.0, 0.1, 1e-300].map(
            JSON.number)))
  }

  @Test(
    "says where a text stops to be JSON",
    arguments: [
      ("", 1, 1, "expected a value, found the end of the text"), ("nul", 1, 1, "expected a value, found \"n\""),
      ("[1,]", 1, 4, "expected a value, found \"]\""), ("[1 2]", 1, 4, "expected \",\" or \"]\", found \"2\""),
      ("{\"a\":1,}", 1, 8, "expected the name of a member, found \"}\""),
      ("{a:1}", 1, 2, "expected the name of a member, found \"a\""),
      ("{\"a\" 1}", 1, 6, "expected \":\", found \"1\""),
      ("{\"a\":1", 1, 7, "expected \",\" or \"}\", found the end of the text"),
      ("[]\n]", 2, 1, "expected the end of the text, found \"]\""), ("[\n  é]", 2, 3, "expected a value, found \"é\""),
      ("01", 1, 1, "a number cannot begin with 0 and another digit"), ("-", 1, 2, "a number has to go on with a digit"),
      ("+1", 1, 1, "expected a value, found \"+\""), (".5", 1, 1, "expected a value, found \".\""),
      ("1.", 1, 3, "a decimal point has to be followed by a digit"),
      ("1e", 1, 3, "an exponent's \"e\" has to be followed by a digit"),
      ("NaN", 1, 1, "expected a value, found \"N\""), ("'a'", 1, 1, "expected a value, found \"'\""),
      ("\"a", 1, 1, "the string has no end"), ("\"a\\", 1, 3, "the string has no end"),
      ("\"a\nb\"", 1, 3, "a control character in a string has to be escaped"),
      ("\"\\x\"", 1, 2, "the escape \"\\x\" is unknown"),
      ("\"\\u12g4\"", 1, 2, "\"\\u\" needs four hexadecimal digits"),
      ("\"\\ud83d\"", 1, 2, "the escape is half of a surrogate pair, and the other half is missing"),
      ("\"\\ude00\"", 1, 2, "the escape is half of a surrogate pair, and the other half is missing"),
      ("\"\\ud83d\\u0041\"", 1, 2, "the escape is half of a surrogate pair, and the other half is missing"),
      ("[1] // no", 1, 5, "expected the end of the text, found \"/\""),
      ("\u{0}", 1, 1, "expected a value, found \"byte 0\""),
    ])
  func errors(text: String, line: Int, column: Int, problem: String) {
    #expect(throws: FlagSyntaxError(line: line, column: column, problem: problem)) { try read(text) }
  }

  @Test(
    "refuses bytes that are not UTF-8",
    arguments: [
      [0x22, 0x61, 0xFF, 0x22], [0x22, 0x61, 0xC0, 0x80, 0x22], [0x22, 0x61, 0xED, 0xA0, 0x80, 0x22],
      [0x22, 0x61, 0xF5, 0x80, 0x80, 0x80, 0x22], [0x22, 0x61, 0xC3, 0x22],
    ] as [[UInt8]])
  func encoding(bytes: [UInt8]) {
    #expect(throws: FlagSyntaxError(line: 1, column: 3, problem: "the text is not UTF-8")) {
      try JSONReader.read(bytes)
    }
    let escaped: [UInt8] = [0x22, 0x5C, 0x6E] + bytes.dropFirst()
    #expect(throws: FlagSyntaxError(line: 1, column: 5, problem: "the text is not UTF-8")) {
      try JSONReader.read(escaped)
    }
  }

  @Test("notes repeated names, large numbers and deep values with their path")
  func notes() throws {
    let deep = String(repeating: "[", count: 250) + String(repeating: "]", count: 250)
    let text = "{\"a\": {\"b\": 1, \"b\": 2}, \"n\": [1e16, 9007199254740991, -9007199254740993], \"d\": \(deep)}"
    let notes = try JSONReader.read(Array(text.utf8)).notes.map { "\($0.path): \($0.message)" }
    #expect(
      notes == [
        "a.b: the name appears more than once", "n[0]: the number is beyond 2^53 - 1, and would lose digits",
        "n[2]: the number is beyond 2^53 - 1, and would lose digits",
        "d" + String(repeating: "[0]", count: 199) + ": the value is nested deeper than 200 levels",
      ])
    let many = "{" + (0..<20).map { "\"k\($0)\": 0" }.joined(separator: ",") + ", \"k3\": 1, \"k19\": 1}"
    #expect(try JSONReader.read(Array(many.utf8)).notes.map(\.path.description) == ["k3", "k19"])
  }

  @Test(
    "checks deep values as strictly as others",
    arguments: [
      "[}", "[1,]", "{\"a\":}", "{\"a\"}", "[1 2]", "{\"a\":1 \"b\":2}", "[01]", "[\"\\x\"]", "[nul]", "[", "{\"a\":[",
      "[,]",
    ])
  func deepErrors(inner: String) throws {
    let (open, close) = (String(repeating: "[", count: 200), String(repeating: "]", count: 200))
    #expect(throws: FlagSyntaxError.self) { try read(open + inner + close) }
    for valid in ["[]", "{}", "[1,[2,{}],\"a\"]", "{\"a\" : [ ] , \"b\" : { \"c\" : null }}", "[[],[]]"] {
      #expect(try JSONReader.read(Array((open + valid + close).utf8)).notes.count == 1)
    }
  }

  @Test("makes values of texts, and texts of values")
  func flagValues() throws {
    let value: FlagValue = ["b": [1, 2.5, "x", .null, true], "a": ["c": -3]]
    #expect("\(value)" == #"{"a":{"c":-3},"b":[1,2.5,"x",null,true]}"#)
    #expect(try FlagValue(json: value.description) == value)
    #expect(throws: FlagSyntaxError.self) {
      try FlagValue(json: String(repeating: "[", count: 300) + String(repeating: "]", count: 300))
    }
    #expect(try FlagValue(json: #"{"a": 1, "a": 2}"#) == ["a": 2])
  }
}
