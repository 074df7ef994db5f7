import Plug
import PlugOperations
import TestSupport
import Testing

/// A context that may contain the context of the rules.
private struct Session: Sendable {
  var guest: Guest?
  var isSecure = true

  func signedIn() throws -> Guest {
    guard let guest else { throw SignedOut() }
    return guest
  }
}

private struct SignedOut: Error, CustomStringConvertible {
  var description: String { "nobody is signed in" }
}

@Suite("A rule pulled back to a larger context")
struct RulePullbackTests {
  private static let rule: Rule<Guest> =
    .feature("beta") && !.equals(\.country, "XX") && (.atLeast(\.age, 18) || .never)

  private static let pulledBack: Rule<Session> = rule.pullback { try $0.signedIn() }

  @Test(
    "has the outcome of the rule on the part",
    arguments: [
      (Guest(enabledFeatures: ["beta"]), RuleTrace.Outcome.satisfied),
      (Guest(age: 17, enabledFeatures: ["beta"]), .unsatisfied),
      (Guest(country: nil, enabledFeatures: ["beta"]), .indeterminate),
    ])
  func outcome(_ guest: Guest, _ outcome: RuleTrace.Outcome) {
    #expect(Self.rule.evaluate(in: guest) == outcome)
    #expect(Self.pulledBack.evaluate(in: Session(guest: guest)) == outcome)
  }

  @Test("has the same description")
  func description() {
    #expect("\(Self.pulledBack)" == #"feature "beta" && !(country == "XX") && (age >= 18 || never)"#)
    #expect("\(Self.pulledBack)" == "\(Self.rule)")
  }

  @Test("has the same trace, with the values of the part")
  func trace() {
    let guest = Guest(country: nil, enabledFeatures: ["beta", "alpha"])
    let trace = Self.pulledBack.trace(in: Session(guest: guest))
    #expect(trace == Self.rule.trace(in: guest))
    #expect(
      "\(trace)" == """
        ? all
          + feature "beta": ["alpha", "beta"]
          ? not
            ? country == "XX": nil (country has no value)
          + any
            + age >= 18: 30
            - never
        """)
  }

  @Test("is indeterminate in every condition if the part is missing, and the constants stay")
  func throwingPart() {
    let trace = Self.pulledBack.trace(in: Session())
    #expect(Self.pulledBack.evaluate(in: Session()) == .indeterminate)
    #expect((!Self.pulledBack).evaluate(in: Session()) == .indeterminate)
    #expect(
      "\(trace)" == """
        ? all
          ? feature "beta" (nobody is signed in)
          ? not
            ? country == "XX" (nobody is signed in)
          ? any
            ? age >= 18 (nobody is signed in)
            - never
        """)

    let constant: Rule<Session> = (Rule<Guest>.always || .feature("beta")).pullback { try $0.signedIn() }
    #expect(constant.evaluate(in: Session()) == .satisfied)
  }

  @Test("composes with rules on the larger context, and can be pulled back again")
  func composition() {
    let secure = Rule<Session>("is secure") { $0.isSecure }
    let inner: Rule<Session> = Rule<Guest>.feature("beta").pullback { try $0.signedIn() }
    let outer: Rule<[Session]> = (secure && inner).pullback { $0[0] }

    let session = Session(guest: Guest(enabledFeatures: ["beta"]))
    #expect(outer.evaluate(in: [session]) == .satisfied)
    #expect(outer.evaluate(in: [Session(guest: Guest())]) == .unsatisfied)
    #expect(outer.evaluate(in: [Session(guest: session.guest, isSecure: false)]) == .unsatisfied)
    #expect("\(outer)" == #"is secure && feature "beta""#)
  }
}
