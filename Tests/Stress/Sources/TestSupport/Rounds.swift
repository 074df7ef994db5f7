import Foundation
package import Testing

/// One round of a test with random values.
package struct Round: Sendable {
  package let number: Int

  /// The source of the round's random values: equal for equal seed, test and number.
  package let random: SplitMix64

  fileprivate init(_ number: Int, of test: String) {
    self.number = number
    var random = SplitMix64(seed: Rounds.seed)
    for byte in test.utf8 { random = SplitMix64(seed: random.next() ^ UInt64(byte)) }
    self.random = SplitMix64(seed: random.next() &+ UInt64(number) &* 0xD134_2543_DE82_EF95)
  }

  /// The command that repeats the current round.
  @TaskLocal fileprivate static var command: String?
}

/// The number of rounds of a test: few in `swift test`, and in `.ci/stress` as many as its share of the time allows.
package enum Rounds {
  fileprivate static let seed = number("STRESS_SEED") ?? 1
  private static let first = number("STRESS_ROUND").map { Int($0) } ?? 0
  private static let time = number("STRESS_MILLISECONDS").map { Duration.milliseconds($0) }

  private static func number(_ variable: String) -> UInt64? {
    ProcessInfo.processInfo.environment[variable].flatMap { UInt64($0) }
  }

  /// Runs the body for each round.
  ///
  /// - Parameter few: The number of rounds in `swift test`.
  package static func run(_ few: Int = 10, at place: SourceLocation = #_sourceLocation, _ body: (Round) throws -> Void)
    throws
  {
    var timer = Timer(few)
    while let number = timer.next() {
      try Round.$command.withValue(command(number, at: place)) { try body(Round(number, of: place.description)) }
    }
  }

  /// Runs the body for each round.
  ///
  /// - Parameter few: The number of rounds in `swift test`.
  package static func run(
    _ few: Int = 10, at place: SourceLocation = #_sourceLocation, _ body: (Round) async throws -> Void
  ) async throws {
    var timer = Timer(few)
    while let number = timer.next() {
      try await Round.$command.withValue(command(number, at: place)) {
        try await body(Round(number, of: place.description))
      }
    }
  }

  private static func command(_ number: Int, at place: SourceLocation) -> String {
    ".ci/stress 60 --seed \(seed) --only \(place.fileName.prefix { $0 != "." }) --round \(number)"
  }

  /// Counts rounds until `few` of them have run, or the time is over.
  private struct Timer {
    private let begin = ContinuousClock.now
    private let end: Int
    private var number = first

    init(_ few: Int) {
      end = first + few
    }

    mutating func next() -> Int? {
      let isOver = time.map { number > first && ContinuousClock.now - begin >= $0 } ?? (number >= end)
      if isOver { return nil }
      defer { number += 1 }
      return number
    }
  }
}

extension Trait where Self == IssueHandlingTrait {
  /// Adds to each failure the command that repeats its round.
  package static var repeatable: Self {
    .compactMapIssues { issue in
      var issue = issue
      if let command = Round.command { issue.comments.append("Again: \(command)") }
      return issue
    }
  }
}
