import TestSupport

extension Scenario {
  /// Random operations on one thread, compared with the reference model.
  static let agreements = Scenario("agreements", least: isOptimized ? 20_000 : 500) { round, _ in
    var random = round.random
    let (allowsRewriting, program) = (random.chance(30), Agreement.program(&random))
    let difference = wait { await Agreement.difference(allowsRewriting: allowsRewriting, program) }
    if let difference { round.expect(false, difference) }
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
