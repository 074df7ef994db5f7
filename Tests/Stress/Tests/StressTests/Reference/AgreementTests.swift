import TestSupport
import Testing

@Suite("The reference model")
struct AgreementTests {
  @Test("agrees with random operations on injectors", .repeatable)
  func random() throws {
    try Rounds.run(500) { round in
      var random = round.random
      let rewriting = random.chance(30)
      #expect(Agreement.difference(allowsRewriting: rewriting, Agreement.program(&random)) == nil)
    }
  }
}
