import Testing

@testable import PlugFlags

@Suite("sem_ver (flagd.dev, custom operations; semver.org)")
struct VersionTests {
  private func result(_ left: String, _ operation: String, _ right: String) throws -> String {
    try PlugFlagsTests.result(of: #"{"sem_ver": ["\#(left)", "\#(operation)", "\#(right)"]}"#)
  }

  @Test("orders versions by precedence")
  func precedence() throws {
    let ascending = [
      "0.0.0", "0.0.1", "0.1.0", "1.0.0-0", "1.0.0-1", "1.0.0-2", "1.0.0-10", "1.0.0-alpha", "1.0.0-alpha.1",
      "1.0.0-alpha.beta", "1.0.0-alpha-a", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0",
      "1.0.1", "1.1.0", "1.2.0", "1.10.0", "2.0.0-alpha", "2.0.0", "2.1.0", "2.1.1", "10.0.0",
      "18446744073709551616.0.0", "99999999999999999999999.999999999999999999.99999999999999999",
      "999999999999999999999999999999999999999.0.0",
    ]
    let operations = ["=", "!=", "<", "<=", ">", ">="]
    for (index, left) in ascending.enumerated() {
      for (other, right) in ascending.enumerated() {
        let results = try operations.map { try result(left, $0, right) == "true" }
        let expected = [
          index == other, index != other, index < other, index <= other, index > other, index >= other,
        ]
        #expect(results == expected, "\(left) and \(right)")
      }
    }
  }

  @Test(
    "takes versions with a v, without minor or patch, and with build metadata",
    arguments: [
      ("v1.0.0", "=", "1.0.0", "true"), ("V1.0.0", "=", "v1.0.0", "true"), ("1", "=", "1.0.0", "true"),
      ("1.2", "=", "1.2.0", "true"), ("v1.2", "<", "1.2.1", "true"), ("1.0.0+build", "=", "1.0.0+other", "true"),
      ("1.0.0+other", "=", "1.0.0", "true"), ("1.0.0-a+b.1-2.00", "=", "1.0.0-a", "true"),
      ("1.5.0", "^", "1", "true"), ("1.0", "^", "1", "true"), ("2.0.0", "^", "1", "false"),
      ("3.0.1", "~", "3.0.0", "true"), ("3.1.0", "~", "3.0.0", "false"), ("3.1.0", "^", "3.0.0", "true"),
      ("4.0.0", "^", "3.0.0", "false"), ("4.0.0", "~", "3.0.0", "false"), ("1.2.3-beta", "~", "1.2.9", "true"),
      ("1.9.9", "^", "1.0.0-rc", "true"), ("0.1.0", "^", "0.2.0", "true"), ("2.0.0-alpha", "<", "2.0.0", "true"),
      ("1.0.0-0A", "=", "1.0.0-0A", "true"), ("1.0.0--", "<", "1.0.0-a", "true"),
    ])
  func forms(left: String, operation: String, right: String, expected: String) throws {
    #expect(try result(left, operation, right) == expected)
  }

  @Test(
    "gives null for text that is no version",
    arguments: [
      "", "v", "vv1.0.0", "1.", ".1", "1..2", "1.2.", "1.2.3.", "2.0.0.0", "not-a-version", "01.0.0", "1.02.0",
      "1.0.00", "1.0.0-", "1.0.0-01", "1.0.0-a..b", "1.0.0-a.", "1.0.0+", "1.0.0+a..b", "1.0.0-ä", "1.0.0+a+b",
      " 1.0.0", "1.0.0 ", "1.0.0\\n", "-1.0.0", "+1.0.0", "1,0,0", "1.x", "1-beta", "1.2-beta", "1+build", "١.0.0",
      "true", "null", "1.0.0-😀", "v1.0.0\u{301}", "v\u{301}1.0.0",
    ])
  func invalid(text: String) throws {
    #expect(try result(text, "=", "1.0.0") == "null")
    #expect(try result("1.0.0", "!=", text) == "null")
  }

  @Test(
    "takes numbers as versions, and nothing else",
    arguments: [
      Case(#"{"sem_ver": [1, "^", "1"]}"#, "true"), Case(#"{"sem_ver": [1.2, "=", "1.2.0"]}"#, "true"),
      Case(#"{"sem_ver": [{"var": "v"}, ">", "1.1"]}"#, #"{"v": 1.2}"#, "true"),
      Case(#"{"sem_ver": [{"var": "v"}, ">", "1.1"]}"#, #"{"v": 1.1}"#, "false"),
      Case(#"{"sem_ver": ["1.2.0", "=", 1.2]}"#, "true"), Case(#"{"sem_ver": [-1, "=", "1"]}"#, "null"),
      Case(#"{"sem_ver": [1e21, "=", "1"]}"#, "null"), Case(#"{"sem_ver": [true, "=", "1.0.0"]}"#, "null"),
      Case(#"{"sem_ver": [null, "!=", "1.0.0"]}"#, "null"), Case(#"{"sem_ver": [["1.0.0"], "=", "1.0.0"]}"#, "null"),
      Case(#"{"sem_ver": ["1.0.0", "===", "1.0.0"]}"#, "null"), Case(#"{"sem_ver": ["1.0.0", "", "1.0.0"]}"#, "null"),
      Case(#"{"sem_ver": ["1.0.0", 1, "1.0.0"]}"#, "null"), Case(#"{"sem_ver": ["1.0.0", "="]}"#, "null"),
      Case(#"{"sem_ver": ["1.0.0", "=", "1.0.0", 1]}"#, "null"), Case(#"{"sem_ver": []}"#, "null"),
      Case(#"{"sem_ver": "1.0.0"}"#, "null"),
      Case(#"{"sem_ver": ["1.0.0", {"var": "o"}, "1"]}"#, #"{"o": "="}"#, "true"),
      Case(#"{"sem_ver": ["1.0.0", {"var": "o"}, {"var": "v"}]}"#, #"{"o": "<", "v": "1.0.1"}"#, "true"),
    ])
  func operands(example: Case) throws {
    try example.check()
  }

  @Test(
    "starts_with and ends_with take two strings",
    arguments: [
      Case(#"{"starts_with": ["192.168.0.1", "192.168"]}"#, "true"),
      Case(#"{"starts_with": ["10.0.0.1", "192.168"]}"#, "false"),
      Case(#"{"ends_with": ["noreply@example.com", "@example.com"]}"#, "true"),
      Case(#"{"ends_with": ["noreply@example.com", "@test.com"]}"#, "false"),
      Case(#"{"starts_with": [{"var": "id"}, "abc"]}"#, #"{"id": "abcdef"}"#, "true"),
      Case(#"{"ends_with": [{"var": "id"}, "xyz"]}"#, #"{"id": "uvwxyz"}"#, "true"),
      Case(#"{"starts_with": ["abc", ""]}"#, "true"), Case(#"{"ends_with": ["abc", ""]}"#, "true"),
      Case(#"{"starts_with": ["", "a"]}"#, "false"), Case(#"{"ends_with": ["", "a"]}"#, "false"),
      Case(#"{"starts_with": ["abc", "abc"]}"#, "true"), Case(#"{"ends_with": ["abc", "abcd"]}"#, "false"),
      Case(#"{"starts_with": ["ABC", "a"]}"#, "false"), Case(#"{"ends_with": ["a😀", "😀"]}"#, "true"),
      Case(#"{"starts_with": [123, "1"]}"#, "null"), Case(#"{"starts_with": ["123", 1]}"#, "null"),
      Case(#"{"ends_with": [{"var": "x"}, "1"]}"#, "null"), Case(#"{"ends_with": [null, "1"]}"#, "null"),
      Case(#"{"starts_with": ["abc"]}"#, "null"), Case(#"{"ends_with": "xyz"}"#, "null"),
      Case(#"{"starts_with": ["a", "a", "a"]}"#, "null"), Case(#"{"ends_with": []}"#, "null"),
    ])
  func affixes(example: Case) throws {
    try example.check()
  }
}
