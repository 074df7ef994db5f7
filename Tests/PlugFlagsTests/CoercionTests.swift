import Testing

@testable import PlugFlags

@Suite("JavaScript's conversions")
struct CoercionTests {
  private static let values = JavaScript.values.map { try? FlagValue(json: $0) }

  @Test("compare every pair of values as JavaScript does", arguments: ["==", "===", "<", "<=", ">", ">="])
  func comparisons(operation: String) throws {
    let expected = try #require(JavaScript.comparisons[operation])
    for (left, row) in zip(JavaScript.values, expected) {
      let results = try JavaScript.values.map { right in
        try result(of: "{\"\(operation)\": [\(left), \(right)]}") == "true" ? "1" : "0"
      }
      #expect(results.joined() == row, "\(left) \(operation) …")
    }
  }

  @Test("negate equality", arguments: ["==", "==="])
  func inequality(operation: String) throws {
    let expected = try #require(JavaScript.comparisons[operation])
    let negated = operation == "==" ? "!=" : "!=="
    for (left, row) in zip(JavaScript.values, expected) {
      let results = try JavaScript.values.map { right in
        try result(of: "{\"\(negated)\": [\(left), \(right)]}") == "true" ? "0" : "1"
      }
      #expect(results.joined() == row, "\(left) \(negated) …")
    }
  }

  @Test("make numbers of values")
  func numbers() throws {
    #expect(Self.values.compactMap { $0.map { NumberText.text($0.asNumber) } } == JavaScript.numbers)
    #expect(Self.values.compactMap { $0.map { NumberText.text($0.asLeadingNumber) } } == JavaScript.leadingNumbers)
  }

  @Test("make texts of values")
  func texts() {
    #expect(Self.values.compactMap { $0?.asText } == JavaScript.texts)
  }

  @Test(
    "write numbers as JavaScript does",
    arguments: [
      ("0", "0"), ("-0", "0"), ("1", "1"), ("-1", "-1"), ("1.0", "1"), ("10", "10"), ("100", "100"), ("0.1", "0.1"),
      ("0.5", "0.5"), ("1.5", "1.5"), ("-2.25", "-2.25"), ("123456789", "123456789"), ("4294967296", "4294967296"),
      ("9007199254740991", "9007199254740991"), ("1e20", "100000000000000000000"),
      ("123456789012345680000", "123456789012345680000"), ("1e21", "1e+21"), ("1.5e21", "1.5e+21"),
      ("-1e21", "-1e+21"), ("1e22", "1e+22"), ("1e100", "1e+100"), ("1e-6", "0.000001"), ("0.000001", "0.000001"),
      ("0.0000012", "0.0000012"), ("1e-7", "1e-7"), ("1.5e-7", "1.5e-7"), ("-1e-7", "-1e-7"), ("5e-324", "5e-324"),
      ("1.7976931348623157e308", "1.7976931348623157e+308"), ("0.1e1", "1"), ("3.14159", "3.14159"),
      ("100.5", "100.5"), ("1234.5678", "1234.5678"), ("1e15", "1000000000000000"), ("1e16", "10000000000000000"),
      ("2147483647", "2147483647"), ("2147483648", "2147483648"), ("-2147483648", "-2147483648"),
      ("0.30000000000000004", "0.30000000000000004"), ("12345678901234567890", "12345678901234567000"),
    ])
  func numberTexts(source: String, text: String) throws {
    let number = try #require(Double(source))
    #expect(NumberText.text(number) == text)
    #expect(NumberText.number(text) == number)
  }

  @Test(
    "read numbers from texts as JavaScript does",
    arguments: [
      ("", "0", "NaN"), ("  ", "0", "NaN"), ("12", "12", "12"), ("12px", "NaN", "12"), (" 12 ", "12", "12"),
      ("+5", "5", "5"), ("-5", "-5", "-5"), ("--5", "NaN", "NaN"), (".5", "0.5", "0.5"), ("5.", "5", "5"),
      ("5.e1", "50", "50"), ("1e3", "1000", "1000"), ("1e", "NaN", "1"), ("1e+", "NaN", "1"), ("0x1F", "31", "0"),
      ("0b101", "5", "0"), ("0o17", "15", "0"), ("0x", "NaN", "0"), ("Infinity", "Infinity", "Infinity"),
      ("-Infinity", "-Infinity", "-Infinity"), ("infinity", "NaN", "NaN"), ("NaN", "NaN", "NaN"),
      ("nan", "NaN", "NaN"), ("1_000", "NaN", "1"), ("1,000", "NaN", "1"), ("\u{A0}7", "7", "7"),
      ("\u{FEFF}8", "8", "8"), ("\u{2028}9", "9", "9"), ("١", "NaN", "NaN"), ("1 2", "NaN", "1"),
      ("0x1.8p3", "NaN", "0"), ("inf", "NaN", "NaN"), ("+", "NaN", "NaN"), (".", "NaN", "NaN"),
      ("-.5e-2x", "NaN", "-0.005"), ("12😀", "NaN", "12"), ("é", "NaN", "NaN"),
    ])
  func readNumbers(text: String, whole: String, leading: String) {
    #expect(NumberText.text(NumberText.number(text)) == whole)
    #expect(NumberText.text(NumberText.leadingNumber(text)) == leading)
  }

  @Test("compare texts by their bytes, not as canonically equivalent")
  func canonicalEquivalence() throws {
    #expect(try result(of: #"{"==": ["\u00e9", "e\u0301"]}"#) == "false")
    #expect(try result(of: #"{"===": ["\u212b", "A\u030a"]}"#) == "false")
    #expect(try result(of: #"{"in": ["\u00e9", ["e\u0301"]]}"#) == "false")
    #expect(try result(of: #"{"in": ["e", "e\u0301"]}"#) == "true")
    #expect(try result(of: #"{"ends_with": ["e\u0301", "\u0301"]}"#) == "true")
    #expect(try result(of: #"{"<": ["\uffff", "\ud83d\ude00"]}"#) == "false", "UTF-16 units are compared")
  }
}
