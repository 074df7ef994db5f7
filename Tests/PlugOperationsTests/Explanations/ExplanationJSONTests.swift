import Foundation
import PlugKeys
import PlugOperations
import TestSupport
import Testing

@testable import Plug

private struct Guest: FeatureContext {
  var id = "user-1"
  var age = 30
  var country: String? = "PL"
  var score: Double?
  var enabledFeatures: Set<String> = []
}

@Suite("The JSON of a point's explanation")
struct ExplanationJSONTests {
  private static let search = PluginPoint<String, Guest>("search") {
    Candidate("catalogue") { "catalogue" }
    Candidate("semantic", priority: 5) { "semantic" }
      .when(.feature("semantic") && .rollout(25, of: "semantic", by: \.id) && !.equals(\.country, "XX"))
    PluginPoint("beta", when: .feature("beta")) {
      Candidate("voice", priority: 10) { "voice" }.when(.atLeast(\.age, 18))
      Candidate("gesture", priority: -1) { "gesture" }
    }
    PluginPoint("staff", when: .feature("staff")) {
      Candidate("debug", priority: 100) { "debug" }.when(.always || .feature("debug"))
      PluginPoint("admins", when: .feature("admins")) { Candidate("raw") { "raw" } }
    }
    PluginPoint("classic") { Candidate("index") { "index" } }
    Candidate("nearby") { "nearby" }.when(.atLeast(\.score, 0.5))
  }

  @Test("contains the verdicts as words")
  func json() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let point = PluginPoint<String, Guest>("point") {
      PluginPoint("inner", when: .never) { Candidate("a") { "a" } }
      Candidate("b", priority: 2) { "b" }
    }
    let expected = [
      #"{"available":["b"],"context":"Guest","decorators":[],"elements":["#,
      #"{"elements":["#,
      #"{"elements":[],"id":"a","isPoint":false,"position":1,"priority":0,"verdict":"not evaluated"}"#,
      #"],"id":"inner","isPoint":true,"priority":0,"#,
      #""rule":{"kind":"constant","name":"never","outcome":"unsatisfied","parts":[]},"verdict":"ruled out"},"#,
      #"{"elements":[],"id":"b","isPoint":false,"position":0,"priority":2,"rank":1,"verdict":"selected"}"#,
      #"],"selected":"b","subject":"point"}"#,
    ]
    let data = try encoder.encode(point.explain(in: Guest()))
    #expect(String(decoding: data, as: UTF8.self) == expected.joined())
  }

  @Test("decodes to an equal explanation", arguments: [["semantic", "beta"], [], ["staff"]])
  func roundTrip(_ features: Set<String>) throws {
    let explanation = Self.search.explain(in: Guest(id: "user-3", enabledFeatures: features))
    let decoded = try JSONDecoder().decode(Explanation.self, from: JSONEncoder().encode(explanation))
    #expect(decoded == explanation)
    #expect(decoded.hashValue == explanation.hashValue)
    #expect("\(decoded)" == "\(explanation)")
    #expect(decoded.available == explanation.available)
  }
}

@Suite("The JSON of a trace")
struct RuleTraceJSONTests {
  @Test("contains only the values that are known")
  func json() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let trace = (!Rule<Guest>.atLeast(\.score, 0.5)).trace(in: Guest())
    #expect(
      String(decoding: try encoder.encode(trace), as: UTF8.self) == """
        {
          "kind" : "not",
          "name" : "not",
          "outcome" : "indeterminate",
          "parts" : [
            {
              "kind" : "condition",
              "name" : "score >= 0.5",
              "operand" : null,
              "outcome" : "indeterminate",
              "parts" : [

              ],
              "reason" : "score has no value",
              "text" : "nil"
            }
          ]
        }
        """)
  }

  private static let rules: [Rule<Guest>] = [
    !.atLeast(\.score, 0.5), !.feature("beta") && (.atLeast(\.age, 18) || .always),
    .rollout(25, of: "semantic", by: \.id), .oneOf(\.country, ["PL", nil]),
  ]

  @Test("decodes to an equal trace", arguments: rules.indices)
  func roundTrip(_ index: Int) throws {
    let trace = Self.rules[index].trace(in: Guest())
    let decoded = try JSONDecoder().decode(RuleTrace.self, from: JSONEncoder().encode(trace))
    #expect(decoded == trace)
    #expect("\(decoded)" == "\(trace)")
  }
}
