import Foundation
import Plug
import PlugKeys
import TestSupport
import Testing

@Suite("A semantic version")
struct SemanticVersionTests {
  /// The examples of semver.org, item 11, and one for each of its sentences; each is lower than the next.
  static let ascending = [
    "0.0.0-0", "0.0.0", "0.0.1", "0.1.0",
    "1.0.0-0.3.7", "1.0.0--", "1.0.0-A", "1.0.0-Z", "1.0.0-a", "1.0.0-a.b.c", "1.0.0-a-",
    "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.1.0", "1.0.0-alpha.2", "1.0.0-alpha.10", "1.0.0-alpha.1a",
    "1.0.0-alpha.beta", "1.0.0-alpha0", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0",
    "1.0.2", "1.0.10", "1.2.0", "1.10.0", "2.0.0", "2.1.0", "2.1.1", "9.0.0", "10.0.0",
    "18446744073709551615.0.0", "18446744073709551616.0.0", "18446744073709551617.0.0-99999999999999999999999",
    "18446744073709551617.0.0-100000000000000000000000", "99999999999999999999999.0.0", "100000000000000000000000.0.0",
  ]

  static func versions() throws -> [SemanticVersion] {
    try ascending.map { try #require(SemanticVersion($0), "\($0)") }
  }

  @Test("is ordered by precedence as semver.org defines it")
  func precedence() throws {
    let versions = try Self.versions()
    for (i, left) in versions.enumerated() {
      for (j, right) in versions.enumerated() {
        #expect((left < right) == (i < j), "\(left) < \(right)")
        #expect((left == right) == (i == j), "\(left) == \(right)")
        #expect((left > right) == (i > j), "\(left) > \(right)")
        #expect((left <= right) == (i <= j), "\(left) <= \(right)")
      }
    }
    #expect(versions.reversed().sorted().map(\.description) == Self.ascending)
  }

  @Test("has a strict weak order, also among versions that differ only in build metadata")
  func orderLaws() throws {
    let versions = try ["1.0.0+b", "1.0.0-alpha+b", "1.0.0-alpha.1+b", "2.0.0+b", "2.0.0+a"].map {
      try #require(SemanticVersion($0))
    }
    let all = versions + (try Self.versions())
    for a in all {
      #expect(!(a < a), "\(a)")
      for b in all {
        // Exactly one of the three holds.
        #expect([a < b, a == b, b < a].count { $0 } == 1, "\(a), \(b)")
        if a == b { #expect(a.hashValue == b.hashValue, "\(a), \(b)") }
        for c in all {
          if a < b && b < c && !(a < c) { Issue.record("\(a) < \(b) < \(c)") }
          if a == b && b == c && a != c { Issue.record("\(a) == \(b) == \(c)") }
        }
      }
    }
  }

  @Test(
    "is compared without its build metadata",
    arguments: [
      ("1.0.0", "1.0.0+build"), ("1.0.0+a", "1.0.0+b"), ("1.0.0-rc.1+001", "1.0.0-rc.1+002"),
    ])
  func buildMetadata(_ first: String, _ second: String) throws {
    let (first, second) = (try #require(SemanticVersion(first)), try #require(SemanticVersion(second)))
    #expect(first == second)
    #expect(!(first < second))
    #expect(!(second < first))
    #expect(first.hashValue == second.hashValue)
    #expect(Set([first, second]).count == 1)
    #expect(first.description != second.description)
  }

  @Test(
    "may begin with v, and may omit the minor and patch numbers",
    arguments: [("3.9", 3, 9, 0), ("v3.9.1", 3, 9, 1), ("2", 2, 0, 0), ("V2", 2, 0, 0)] as [(String, UInt, UInt, UInt)])
  func short(_ text: String, _ major: UInt, _ minor: UInt, _ patch: UInt) throws {
    let version = try #require(SemanticVersion(text))
    #expect(version == SemanticVersion(major, minor, patch))
    #expect(version.description == text)
    #expect(try JSONDecoder().decode(SemanticVersion.self, from: JSONEncoder().encode(version)) == version)
  }

  @Test("is made from three numbers")
  func numbers() throws {
    #expect(SemanticVersion(1, 20, 3).description == "1.20.3")
    #expect(SemanticVersion(0, 0, 0) == SemanticVersion("0.0.0"))
    #expect(SemanticVersion(UInt.max, 0, 0).description == "18446744073709551615.0.0")
    #expect(SemanticVersion(1, 2, 3).prerelease == "")
    #expect(SemanticVersion(1, 2, 3).buildMetadata == "")
  }

  @Test("can be written as a literal, which traps if it is not a valid version")
  func literal() async throws {
    let version: SemanticVersion = "1.2.0-rc.1"
    #expect(version < "1.2.0" && version.prerelease == "rc.1")
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = "1.2.x" as SemanticVersion
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains(#"Fatal error: "1.2.x" is not a semantic version such as 1.2.3-beta.1"#))
  }

  @Test(
    "has its pre-release and its build metadata as strings",
    arguments: [
      ("1.0.0", "", ""),
      ("1.0.0-alpha.1", "alpha.1", ""),
      ("1.0.0+exp.sha.5114f85", "", "exp.sha.5114f85"),
      ("1.0.0-alpha-a.b-c+build.1-aef.1", "alpha-a.b-c", "build.1-aef.1"),
      ("1.0.0+-.00", "", "-.00"),
    ])
  func parts(_ text: String, _ prerelease: String, _ buildMetadata: String) throws {
    let version = try #require(SemanticVersion(text))
    #expect(version.prerelease == prerelease)
    #expect(version.buildMetadata == buildMetadata)
  }

  @Test("is encoded as a string, including its build metadata")
  func coding() throws {
    let versions: [SemanticVersion] = ["1.2.3-beta.1+build.5", SemanticVersion(2, 0, 0)]
    let data = try JSONEncoder().encode(versions)
    #expect(String(decoding: data, as: UTF8.self) == #"["1.2.3-beta.1+build.5","2.0.0"]"#)
    let decoded = try JSONDecoder().decode([SemanticVersion].self, from: data)
    #expect(decoded.map(\.description) == versions.map(\.description))
  }

  @Test("that is malformed fails to decode, with the string in the error")
  func decodingError() throws {
    let error = try #require(throws: DecodingError.self) {
      try JSONDecoder().decode([SemanticVersion].self, from: Data(#"["1.2.3", "1.02.3"]"#.utf8))
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(context.debugDescription == #""1.02.3" is not a semantic version such as 1.2.3-beta.1"#)
    #expect(context.codingPath.map(\.intValue) == [1])
  }
}
