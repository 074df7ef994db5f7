import TestSupport

/// A kind of round: its operations, drawn from the round's seed, and the promises that must hold.
struct Scenario: Sendable {
  let name: String

  /// The number of rounds that a run has at least.
  let least: Int

  /// Runs one round. An error that it throws counts as a broken promise.
  let run: @Sendable (Round, Crew) throws -> Void

  static let all: [Scenario] = [
    once, configurations, deinits, graphs, owners, captives, starts, decorations, weaks, closings, waits, observations,
    validations, operations, arguments, providers, isolations, crowds, resets, agreements,
  ]

  init(_ name: String, least: Int = 0, _ run: @escaping @Sendable (Round, Crew) throws -> Void) {
    (self.name, self.least, self.run) = (name, least, run)
  }
}
