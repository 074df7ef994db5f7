import TestSupport

extension Scenario {
  /// Random operations on one thread, compared with the reference model.
  static let agreements = Scenario("agreements", least: isOptimized ? 20_000 : 500) { round, _ in
    var random = round.random
    let rewriting = random.chance(30)
    if let difference = Agreement.difference(allowsRewriting: rewriting, Agreement.program(&random)) {
      round.expect(false, difference)
    }
  }

  /// Whether there are no debug checks, with which a round takes much longer.
  private static var isOptimized: Bool {
    var isDebug = false
    assert(
      {
        isDebug = true; return true
      }())
    return !isDebug
  }
}
