import Foundation
import Plug
import PlugFeatures
import PlugKeys
import PlugOperations
import PlugTesting
import Testing

private struct Member: Sendable {
  var id = "p-17"
}

private func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

@Suite("A rule on the time")
struct RuleTimeTests {
  private let services = Injector("services")

  private func outcome(_ rule: Rule<Member>, at time: String) throws -> RuleTrace.Outcome {
    services.timestamp = .constant(try date(time).timeIntervalSince1970)
    return rule.evaluate(in: Member(), from: services)
  }

  @Test("is satisfied from the first moment, until the last")
  func between() throws {
    let rule = Rule<Member>.between(try date("2026-12-01T00:00:00Z"), try date("2027-01-02T12:00:00Z"))
    let times = ["2026-11-30T23:59:59Z", "2026-12-01T00:00:00Z", "2027-01-02T11:59:59Z", "2027-01-02T12:00:00Z"]
    #expect(try times.map { try outcome(rule, at: $0) } == [.unsatisfied, .satisfied, .satisfied, .unsatisfied])
    #expect(
      "\(rule.trace(in: Member(), from: services))"
        == "- time in 2026-12-01T00:00:00Z..<2027-01-02T12:00:00Z: 2027-01-02T12:00:00Z")
    let never = Rule<Member>.between(try date("2027-01-02T12:00:00Z"), try date("2026-12-01T00:00:00Z"))
    #expect(
      never.trace(in: Member(), from: services).reason == "2027-01-02T12:00:00Z is not before 2026-12-01T00:00:00Z")
  }

  @Test("looks at the days of a time zone")
  func weekdays() throws {
    let auckland = try #require(TimeZone(identifier: "Pacific/Auckland"))
    let rule = Rule<Member>.weekdays([.saturday, .sunday], in: auckland)
    // In Auckland it is thirteen hours later then.
    #expect(try outcome(rule, at: "2026-11-20T10:59:59Z") == .unsatisfied)
    #expect(try outcome(rule, at: "2026-11-20T11:00:00Z") == .satisfied)
    #expect(try outcome(rule, at: "2026-11-22T10:59:59Z") == .satisfied)
    #expect(try outcome(rule, at: "2026-11-22T11:00:00Z") == .unsatisfied)
    #expect(
      "\(rule.trace(in: Member(), from: services))" == "- weekday in [sun, sat] in Pacific/Auckland: mon")
  }

  @Test("looks at the hours that a clock on the wall shows, through daylight saving time")
  func hours() throws {
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    let second = Rule<Member>.hours(from: 2, to: 3, in: berlin)
    // On 29 March 2026 the clock goes from 2 to 3, and on 25 October from 3 back to 2.
    let spring = ["2026-03-29T00:59:59Z", "2026-03-29T01:00:00Z", "2026-03-29T02:00:00Z"]
    #expect(try spring.map { try outcome(second, at: $0) } == [.unsatisfied, .unsatisfied, .unsatisfied])
    let autumn = ["2026-10-24T23:59:59Z", "2026-10-25T00:00:00Z", "2026-10-25T01:59:59Z", "2026-10-25T02:00:00Z"]
    #expect(try autumn.map { try outcome(second, at: $0) } == [.unsatisfied, .satisfied, .satisfied, .unsatisfied])
    #expect("\(second.trace(in: Member(), from: services))" == "- hour in 2..<3 in Europe/Berlin: 3")
    let office = Rule<Member>.hours(from: 9, to: 17, in: berlin)
    #expect(try outcome(office, at: "2026-07-01T07:00:00Z") == .satisfied)
    #expect(try outcome(office, at: "2026-12-01T07:00:00Z") == .unsatisfied)
    #expect(try outcome(office, at: "2026-12-01T16:00:00Z") == .unsatisfied)
  }

  @Test("reaches over midnight, and never or always where it says so")
  func night() throws {
    let utc = try #require(TimeZone(identifier: "UTC"))
    let rules = [(22, 6), (0, 24), (8, 8), (6, 22)].map { Rule<Member>.hours(from: $0.0, to: $0.1, in: utc) }
    let expected: [String: [Bool]] = [
      "2026-12-01T05:59:59Z": [true, true, false, false], "2026-12-01T06:00:00Z": [false, true, false, true],
      "2026-12-01T21:59:59Z": [false, true, false, true], "2026-12-01T22:00:00Z": [true, true, false, false],
      "2026-12-01T08:00:00Z": [false, true, false, true],
    ]
    for (time, satisfied) in expected {
      let outcomes = try rules.map { try outcome($0, at: time) == .satisfied }
      #expect(outcomes == satisfied, "\(time)")
    }
    let wrong = Rule<Member>.hours(from: -1, to: 25, in: utc)
    #expect(wrong.trace(in: Member(), from: services).reason == "-1..<25 are no hours in 0...24")
  }

  @Test("lets a share grow evenly, and moves nobody out meanwhile")
  func ramp() throws {
    let (start, end) = (try date("2026-12-01T00:00:00Z"), try date("2026-12-05T00:00:00Z"))
    let rule = Rule<Member>.ramp(from: 0, to: 100, during: start..<end, of: "one-click", by: \.id)
    let members = (0..<4_000).map { Member(id: "customer-\($0)") }
    var (before, shares): (Set<String>, [Int]) = ([], [])
    for hour in stride(from: -24, through: 120, by: 24) {
      services.timestamp = .constant(start.timeIntervalSince1970 + Double(hour) * 3_600)
      let now = Set(members.filter { rule.evaluate(in: $0, from: services) == .satisfied }.map(\.id))
      #expect(before.isSubset(of: now))
      before = now
      shares.append(Int((Double(now.count) / 40).rounded()))
    }
    #expect(shares.first == 0 && shares[1] == 0 && shares.suffix(2) == [100, 100])
    #expect(zip(shares[2...4], [25, 50, 75]).allSatisfy { abs($0 - $1) <= 2 }, "\(shares)")
    services.timestamp = .constant(start.timeIntervalSince1970 + 12 * 3_600)
    #expect(
      "\(rule.trace(in: Member(), from: services))" == """
        - rollout from 0% to 100% during 2026-12-01T00:00:00Z..<2026-12-05T00:00:00Z of "one-click" by id: \
        "p-17" in bucket 49.07, share 12.5%
        """)
    let wrong = Rule<Member>.ramp(from: 5, to: 101, during: start..<end, of: "one-click", by: \.id)
    #expect(wrong.trace(in: Member(), from: services).reason == "101 is not a percentage in 0...100")
  }

  @Test("chooses by the time of the injector that is asked")
  func choosing() throws {
    let (start, end) = (try date("2026-12-01T00:00:00Z"), try date("2027-01-02T00:00:00Z"))
    try services.register(
      PluginPoint<String, Member>("shop") {
        Candidate("christmas", .factory { "christmas" }).when(.between(start, end))
        Candidate("usual", .factory { "usual" })
      })
    services.timestamp = .constant(try date("2026-12-24T18:00:00Z").timeIntervalSince1970)
    #expect(try services.get(String.self, in: Member()) == "christmas")
    let isolated = try withIsolatedInjectors {
      services.timestamp = .constant(0)
      return try services.get(String.self, in: Member())
    }
    #expect(isolated == "usual")
    #expect(try services.get(String.self, in: Member()) == "christmas")
  }
}
