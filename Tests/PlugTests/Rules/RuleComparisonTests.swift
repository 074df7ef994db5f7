import Plug
import PlugKeys
import PlugOperations
import TestSupport
import Testing

@Suite("A rule that compares a property")
struct RuleComparisonTests {
  /// A rule, a context, and the whole trace.
  struct Example: Sendable, CustomTestStringConvertible {
    let rule: Rule<Guest>
    let guest: Guest
    let trace: String

    init(_ rule: Rule<Guest>, in guest: Guest = Guest(), _ trace: String) {
      (self.rule, self.guest, self.trace) = (rule, guest, trace)
    }

    var testDescription: String { trace }

    var outcome: RuleTrace.Outcome {
      trace.hasPrefix("+") ? .satisfied : trace.hasPrefix("-") ? .unsatisfied : .indeterminate
    }
  }

  static let equality = [
    Example(.equals(\.age, 30), "+ age == 30: 30"),
    Example(.equals(\.age, 31), "- age == 31: 30"),
    Example(.equals(\.id, "user-1"), #"+ id == "user-1": "user-1""#),
    Example(.equals(\.address.city, "Oz"), #"- address.city == "Oz": "Gdynia""#),
    Example(.equals(\.country, "PL"), #"+ country == "PL": "PL""#),
    Example(.equals(\.country, "XX"), #"- country == "XX": "PL""#),
    Example(.equals(\.country, "PL"), in: Guest(country: nil), #"? country == "PL": nil (country has no value)"#),
    Example(.equals(\.address.floor, 2), "? address.floor == 2: nil (address.floor has no value)"),
  ]

  static let membership = [
    Example(.oneOf(\.age, [30, 31]), "+ age in [30, 31]: 30"),
    Example(.oneOf(\.age, [31, 32]), "- age in [31, 32]: 30"),
    Example(.oneOf(\.age, []), "- age in []: 30"),
    Example(.oneOf(\.id, ["b", "a"]), #"- id in ["a", "b"]: "user-1""#),
    Example(.oneOf(\.country, ["PL", "DE"]), #"+ country in ["DE", "PL"]: "PL""#),
    Example(.oneOf(\.country, ["DE"]), #"- country in ["DE"]: "PL""#),
    Example(.oneOf(\.country, ["DE"]), in: Guest(country: nil), #"? country in ["DE"]: nil (country has no value)"#),
  ]

  static let bounds = [
    Example(.atLeast(\.age, 29), "+ age >= 29: 30"),
    Example(.atLeast(\.age, 30), "+ age >= 30: 30"),
    Example(.atLeast(\.age, 31), "- age >= 31: 30"),
    Example(.atLeast(\.score, 0.5), in: Guest(score: 0.5), "+ score >= 0.5: 0.5"),
    Example(.atLeast(\.score, 0.5), in: Guest(score: 0.25), "- score >= 0.5: 0.25"),
    Example(.atLeast(\.score, 0.5), "? score >= 0.5: nil (score has no value)"),
    Example(.within(\.age, ...29), "- age in ...29: 30"),
    Example(.within(\.age, ...30), "+ age in ...30: 30"),
    Example(.within(\.age, ...31), "+ age in ...31: 30"),
    Example(.within(\.score, ...0.5), in: Guest(score: 0.5), "+ score in ...0.5: 0.5"),
    Example(.within(\.score, ...0.5), in: Guest(score: 0.75), "- score in ...0.5: 0.75"),
    Example(.within(\.score, ...0.5), "? score in ...0.5: nil (score has no value)"),
    Example(.within(\.id, ..."user-0"), #"- id in ..."user-0": "user-1""#),
  ]

  static let ranges = [
    Example(.within(\.age, 18...30), "+ age in 18...30: 30"),
    Example(.within(\.age, 18..<30), "- age in 18..<30: 30"),
    Example(.within(\.age, 30...), "+ age in 30...: 30"),
    Example(.within(\.age, 31...), "- age in 31...: 30"),
    Example(.within(\.age, ...30), "+ age in ...30: 30"),
    Example(.within(\.age, ...29), "- age in ...29: 30"),
    Example(.within(\.age, ..<31), "+ age in ..<31: 30"),
    Example(.within(\.age, ..<30), "- age in ..<30: 30"),
    Example(.within(\.id, "a"..."m"), #"- id in "a"..."m": "user-1""#),
    Example(.within(\.age, Even()), "+ age in even numbers: 30"),
    Example(.within(\.score, 0...1), in: Guest(score: 0.5), "+ score in 0.0...1.0: 0.5"),
    Example(.within(\.score, 0..<0.5), in: Guest(score: 0.5), "- score in 0.0..<0.5: 0.5"),
    Example(.within(\.score, 0...1), "? score in 0.0...1.0: nil (score has no value)"),
  ]

  static let all = equality + membership + bounds + ranges

  @Test("shows the comparison and the compared value", arguments: all)
  func comparison(_ example: Example) {
    let trace = example.rule.trace(in: example.guest)
    #expect("\(trace)" == example.trace)
    #expect(trace.name == "\(example.rule)")
    #expect(example.rule.evaluate(in: example.guest) == example.outcome)
  }

  @Test("stays indeterminate under a negation if there is no value, and is negated otherwise", arguments: all)
  func negation(_ example: Example) {
    let negated: [RuleTrace.Outcome: RuleTrace.Outcome] = [
      .satisfied: .unsatisfied, .unsatisfied: .satisfied, .indeterminate: .indeterminate,
    ]
    #expect((!example.rule).evaluate(in: example.guest) == negated[example.outcome])
  }

  @Test("with nil is decided for a missing value, and another one is not")
  func comparisonWithNil() {
    let rule: Rule<Guest> = .equals(\.country, nil)
    #expect("\(rule.trace(in: Guest(country: nil)))" == "+ country == nil: nil")
    #expect("\(rule.trace(in: Guest()))" == #"- country == nil: "PL""#)

    let second = Guest(address: Guest.Address(floor: 2))
    #expect("\(Rule<Guest>.equals(\.address.floor, nil).trace(in: second))" == "- address.floor == nil: 2")

    let expected: String? = "PL"
    let sameAsExpected: Rule<Guest> = .equals(\.country, expected)
    #expect("\(sameAsExpected.trace(in: Guest()))" == #"+ country == "PL": "PL""#)
    #expect(
      "\(sameAsExpected.trace(in: Guest(country: nil)))" == #"? country == "PL": nil (country has no value)"#)
    #expect("\(Rule<Guest>.oneOf(\.country, [nil, "DE"]).trace(in: Guest()))" == #"- country in ["DE", nil]: "PL""#)
  }

  @Test("escapes the strings that it shows, so that a value cannot pass for a line of the trace")
  func escaping() {
    let trace = Rule<Guest>.equals(\.id, #"a "b""#).trace(in: Guest(id: "x\"\n+ id == 1"))
    #expect("\(trace)" == #"- id == "a \"b\"": "x\"\n+ id == 1""#)
  }

  @Test("shows the type of a computed property without a known name, and no address that changes from run to run")
  func computedProperty() {
    let rule: Rule<Guest> = .equals(\.isAdult, true) && .atLeast(\.address.city.count, 3)
    // With symbols for the getters, the names are known.
    let unnamed = "<computed (Bool)> == true && address.city.<computed (Int)> >= 3"
    let named = "isAdult == true && address.city.count >= 3"
    #expect([unnamed, named].contains("\(rule)"))
    #expect(rule.evaluate(in: Guest()) == .satisfied)
  }

  @Test("compares all Comparable values, such as versions")
  func versions() {
    let rule: Rule<Release> = .atLeast(\.version, "2.1.0")
    let older = Release(version: "2.1.0-rc.1")
    #expect("\(rule.trace(in: older))" == "- version >= 2.1.0: 2.1.0-rc.1")
    #expect("\(rule.trace(in: Release(version: SemanticVersion(2, 10, 0))))" == "+ version >= 2.1.0: 2.10.0")
  }
}

private struct Release: Sendable {
  let version: SemanticVersion
}

/// A range expression from outside the standard library.
private struct Even: RangeExpression, CustomStringConvertible {
  let description = "even numbers"

  func contains(_ element: Int) -> Bool { element.isMultiple(of: 2) }

  func relative<C: Collection>(to collection: C) -> Range<Int> where C.Index == Int {
    collection.startIndex..<collection.endIndex
  }
}

extension Guest {
  fileprivate var isAdult: Bool { age >= 18 }
}
