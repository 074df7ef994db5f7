import Plug
import PlugKeys
import TestSupport
import Testing

@Suite("The grammar of a semantic version", .repeatable)
struct SemanticVersionGrammarTests {
  /// The valid strings of the tests of the regular expression in the FAQ of semver.org (regex101.com/r/vkijKf).
  static let validTexts = [
    "0.0.4", "1.2.3", "10.20.30", "1.1.2-prerelease+meta", "1.1.2+meta", "1.1.2+meta-valid", "1.0.0-alpha",
    "1.0.0-beta", "1.0.0-alpha.beta", "1.0.0-alpha.beta.1", "1.0.0-alpha.1", "1.0.0-alpha0.valid",
    "1.0.0-alpha.0valid", "1.0.0-alpha-a.b-c-somethinglong+build.1-aef.1-its-okay", "1.0.0-rc.1+build.1",
    "2.0.0-rc.1+build.123", "1.2.3-beta", "10.2.3-DEV-SNAPSHOT", "1.2.3-SNAPSHOT-123", "1.0.0", "2.0.0", "1.1.7",
    "2.0.0+build.1848", "2.0.1-alpha.1227", "1.0.0-alpha+beta", "1.2.3----RC-SNAPSHOT.12.9.1--.12+788",
    "1.2.3----R-S.12.9.1--.12+meta", "1.2.3----RC-SNAPSHOT.12.9.1--.12", "1.0.0+0.build.1-rc.10000aaa-kk-0.1",
    "99999999999999999999999.999999999999999999.99999999999999999", "1.0.0-0A.is.legal",
  ]

  /// The invalid strings of those tests.
  static let invalidTexts = [
    "1.2.3-0123", "1.2.3-0123.0123", "1.1.2+.123", "+invalid", "-invalid", "-invalid+invalid",
    "-invalid.01", "alpha", "alpha.beta", "alpha.beta.1", "alpha.1", "alpha+beta", "alpha_beta", "alpha.", "alpha..",
    "beta", "1.0.0-alpha_beta", "-alpha.", "1.0.0-alpha..", "1.0.0-alpha..1", "1.0.0-alpha...1", "1.0.0-alpha....1",
    "1.0.0-alpha.....1", "1.0.0-alpha......1", "1.0.0-alpha.......1", "01.1.1", "1.01.1", "1.1.01", "1.2.3.DEV",
    "1.2-SNAPSHOT", "1.2.31.2.3----RC-SNAPSHOT.12.09.1--..12+788", "1.2-RC-SNAPSHOT", "-1.0.3-gamma+b7718",
    "+justmeta", "9.8.7+meta+meta", "9.8.7-whatever+meta+meta",
    "99999999999999999999999.999999999999999999.99999999999999999----RC-SNAPSHOT.12.09.1--------------------------------..12",
  ]

  /// Invalid strings that the list omits: white space, signs, empty parts, and characters that merely look right.
  static let moreInvalidTexts = [
    "", " ", "1.2.3 ", " 1.2.3", "1.2.3\n", "1. 2.3", "vv1.2.3", "v", "+1.2.3", "1.-2.3", "0x1.2.3", "1.2.3-", "1.2.3+",
    "1.2.3-+b", "1.2.3-a+", "1.2.3-.a", "1.2.3-a.", "1.2.3+a.", "1.2.3+a..b", "..", "1..3", "1.2.", ".2.3", "00.0.0",
    "0.00.0", "1.2.3-00", "1.2.3-a.01", "1,2,3", "1.2.3\0", "١.٢.٣", "１.２.３", "1.2.3-é", "1.2.3+é", "1.2.3\u{301}",
    "1.2.3-a\u{301}", "1.2.3+\u{301}a", "1.2.3–a", "1.2.3-a b",
  ]

  /// Strings that flag documents may have, too.
  static let shortTexts = ["1", "1.2", "v1.2.3", "V1.2.3-rc.1+b", "v0"]

  @Test("accepts every valid example of semver.org, and prints it unchanged", arguments: validTexts + shortTexts)
  func valid(_ text: String) throws {
    #expect(try #require(SemanticVersion(text)).description == text)
  }

  @Test("rejects every invalid example of semver.org, and more", arguments: invalidTexts + moreInvalidTexts)
  func invalid(_ text: String) {
    #expect(SemanticVersion(text) == nil)
  }

  @Test("agrees with the regular expression of semver.org, or with up to three numbers, on random texts")
  func regularExpression() throws {
    let expression = try Regex(
      #"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)"#
        + #"(?:-((?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*))*))?"#
        + #"(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?|(?:0|[1-9][0-9]*)(?:\.(?:0|[1-9][0-9]*))?"#)
    var (rounds, validCount) = (0, 0)
    try Rounds.run(500) { round in
      var generator = round.random
      rounds += 1
      // Most beginnings are well formed, so that both answers are frequent.
      var text = Bool.random(using: &generator) ? "1.0.2" : ""
      for _ in 0..<Int.random(in: 0...8, using: &generator) {
        text.append(try #require("0019aZ..--++_".randomElement(using: &generator)))
      }
      let isValid = try expression.wholeMatch(in: text) != nil
      validCount += isValid ? 1 : 0
      #expect(SemanticVersion(text)?.description == (isValid ? text : nil), "\(text)")
    }
    #expect(rounds < 100 || (rounds / 10...rounds * 9 / 10).contains(validCount))
  }
}
