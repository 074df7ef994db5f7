import TestSupport
import Testing

@Suite("The reference model")
struct AgreementTests {
  @Test("agrees with random operations on injectors", .repeatable)
  func random() async throws {
    try await Rounds.run(500) { round in
      var random = round.random
      let (allowsRewriting, program) = (random.chance(30), Agreement.program(&random))
      let difference = await Agreement.difference(allowsRewriting: allowsRewriting, program)
      if let difference { Issue.record("\(difference)") }
    }
  }
}
