import PlugKeys
import TestSupport
import Testing

@testable import Plug
@testable import PlugOperations

private struct Shopper: Sendable, Identifiable {
  var id = "p-17"
  var country: String?
}

@Suite("The JSON of an explanation")
struct ExplanationSchemaTests {
  @Test("matches its schema with verdicts of every kind")
  func schema() throws {
    let services = Injector("services")
    try services.register(
      PluginPoint<String, Shopper>("search") {
        PluginPoint("shut", when: .equals(\.country, "XX")) {
          Candidate("never", .factory { "never" }).when(!.never || .equals(\.country, nil))
        }
        Candidate("a", .factory { "a" }).weight(1, by: \.id)
        Candidate("b", .factory { throw Boom() }, priority: 3)
          .onFailure(.quarantine(after: 1, for: .seconds(60), clock: TestClock()))
        Candidate("c", .factory { "c" }).after("a").when(.rollout(25, of: "c", by: \.id))
        Candidate("d", .factory { "d" })
      })
    try services.register(injectable: .factory { "plain" })
    try services.disable("d", at: "search", because: "INC-7")
    _ = try services.get(String.self, in: Shopper())
    let (schema, explanation) = (try JSONSchema(named: "explanation"), try services.explain(String.self, in: Shopper()))
    #expect(try schema.problems(of: explanation) == [])
    let verdicts = explanation.elements.first?.elements.map(\.verdict)
    #expect(verdicts == [.ruledOut, .selected, .quarantined, .available, .disabled], "\(explanation)")
  }

  @Test("is invalid if a key is missing or unknown, or if it is not an object")
  func invalid() throws {
    let schema = try JSONSchema(named: "explanation")
    #expect(
      try schema.problems(of: ["subject": "a", "more": "b"]) == [
        "$.context is missing", "$.available is missing", "$.elements is missing", "$.decorators is missing",
        "$.more is not known",
      ])
    #expect(try schema.problems(of: [1]) == ["$ is not of type object"])
  }
}
