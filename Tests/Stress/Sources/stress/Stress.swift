import Foundation
import TestSupport

/// Runs random operations against models of what Plug promises, until the time is over or a promise is broken.
@main
enum Stress {
  static func main() {
    if CommandLine.arguments.dropFirst() == ["--scenarios"] {
      for scenario in Scenario.all { print(scenario.name) }
      return
    }
    guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
      print(Options.usage)
      exit(2)
    }
    print("seed \(options.seed)")
    fflush(nil)
    RoundWatchdog.start(patience: options.patience)
    let (crew, clock) = (Crew(size: 8), ContinuousClock())
    let end = clock.now + .seconds(options.seconds)
    var rounds = options.scenarios.map { _ in options.round }
    func runNext(_ index: Int) {
      let scenario = options.scenarios[index]
      let round = Round(of: scenario.name, seed: options.seed, number: rounds[index], without: options.without)
      guard isKept(round, scenario, crew) else { exit(1) }
      rounds[index] += 1
    }
    while clock.now < end {
      for index in rounds.indices {
        let turn = min(clock.now + .milliseconds(500), end)
        repeat { runNext(index) } while clock.now < turn
      }
    }
    for (index, scenario) in options.scenarios.enumerated() where options.seconds > 0 && options.round == 0 {
      while rounds[index] < scenario.least { runNext(index) }
    }
    for (scenario, count) in zip(options.scenarios, rounds) {
      print("\(scenario.name): \(count - options.round) rounds")
    }
  }

  /// Runs one round, and reports it if a promise was broken.
  private static func isKept(_ round: Round, _ scenario: Scenario, _ crew: Crew) -> Bool {
    RoundWatchdog.watch(round)
    do {
      try scenario.run(round, crew)
    } catch {
      round.expect(false, "it must not throw: \(error)")
    }
    expectNoSurvivors(of: round)
    if !round.isKept { print(round.report) }
    return round.isKept
  }

  /// The instances of a round end with it. Tasks that close something may take a moment.
  private static func expectNoSurvivors(of round: Round) {
    if !round.isKept { return }
    for _ in 0..<5_000 where !round.survivors.isEmpty { sleepBriefly() }
    let survivors = round.survivors
    round.expect(survivors.isEmpty, "these are left after everything has been released: \(survivors)")
  }
}
