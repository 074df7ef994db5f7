import TestSupport

/// A kind of round: its operations, drawn from the round's seed, and the promises that must hold.
struct Scenario: Sendable {
  let name: String

  /// Runs one round. An error that it throws counts as a broken promise.
  let run: @Sendable (Round, Crew) throws -> Void

  static let all: [Scenario] = [
    once, deinits, graphs, owners, captives, starts, decorations, weaks, closings, waits, observations, validations,
    operations, arguments, providers, isolations, crowds, resets,
  ]

  init(_ name: String, _ run: @escaping @Sendable (Round, Crew) throws -> Void) {
    self.name = name
    self.run = run
  }
}
