import Foundation
import PlugKeys
import Synchronization
import TestSupport
import Testing

@testable import Plug
@testable import PlugOperations

private struct Shopper: Sendable {
  let id: String
}

private final class Dice: Sendable {
  private let seed = Atomic<UInt64>(15)

  func fails() -> Bool {
    var random = SplitMix64(seed: seed.add(1, ordering: .relaxed).newValue)
    return random.next().isMultiple(of: 8)
  }
}

/// The exposures of one identifier.
private final class Exposures: Sendable {
  struct Counts: Sendable {
    var all: [String: Int] = [:]
    var once: [String: Int] = [:]
    var kinds: Set<String> = []
  }

  let counts = Locked(Counts())
}

/// Services whose candidates fail at random, and whose switches alternate between two states.
private final class Subject: Sendable {
  let services = Injector("services")
  let finished = Counter()
  /// Signalled when the switches are due to change.
  let isDue = DispatchSemaphore(value: 0)
  /// One value for each identifier, so that threads seldom wait for each other.
  let exposures = (0..<50).map { _ in Exposures() }
  private let tokens = Locked<[ObservationToken]>([])
  private let tags = (0..<4).map { Injector.Tag(rawValue: "\($0)") }

  init() throws {
    for tag in tags { try services.register(Self.makePoint(), tag: tag) }
    try services.seal()
    switchOver(0)
    let all = services.onSelection(of: String.self, .each(by: \Shopper.id)) { [weak self] exposure in
      self?.note(exposure) { exposures, choice in
        exposures.all[choice, default: 0] += 1
        let failures = exposure.failures.map(\.candidate).joined(separator: ", ")
        exposures.kinds.insert("\(exposure.candidate), \(exposure.reason.rawValue): \(failures)")
      }
    }
    let once = services.onSelection(of: String.self, .once(per: \Shopper.id)) { [weak self] exposure in
      self?.note(exposure) { $0.once[$1, default: 0] += 1 }
    }
    tokens.withLock { $0 = [all, once] }
  }

  private static func makePoint() -> PluginPoint<String, Shopper> {
    let dice = Dice()
    let policies: [FailurePolicy] = [.skip, .quarantine(after: 2, for: .microseconds(50)), .skip]
    return PluginPoint("search") {
      for (number, policy) in policies.enumerated() {
        let id = "plugin-\(number)"
        Candidate(id, .factory { if dice.fails() { throw Boom() } else { id } }).onFailure(policy)
      }
      Candidate("last", .factory { "last" })
    }
  }

  private func note(_ exposure: Exposure, _ body: (inout Exposures.Counts, String) -> Void) {
    guard let id = exposure.identifier, let number = Int(id) else { return }
    exposures[number].counts.withLock { body(&$0, "\(id) \(exposure.candidate)") }
  }

  /// Disables one of two candidates, and forces the other.
  func switchOver(_ disabled: Int) {
    services[Switches.self] = Switches([
      Switches.Switch("plugin-\(disabled)", at: "search", .disabled, because: "INC-7"),
      Switches.Switch("plugin-\(1 - disabled)", at: "search", .forced, because: "INC-7"),
    ])
  }

  func choose(_ turn: Int) -> String {
    let id = "\(turn % exposures.count)"
    let tag = tags[turn % exposures.count % tags.count]
    return "\(id) \((try? services.get(String.self, tag: tag, in: Shopper(id: id))) ?? "none")"
  }
}

@Suite("Candidates that fail while others choose", .repeatable, .serialized)
struct FailureRaceTests {
  #if DEBUG
    private static let (rounds, turns) = (10, 100)
  #else
    private static let (rounds, turns) = (20, 1_000)
  #endif

  /// The choices that each state of the switches allows: the forced candidate, or its replacement after a failure.
  private static let choices: Set = [
    "plugin-0, forced: ", "plugin-2, others failed: plugin-0", "last, others failed: plugin-0, plugin-2",
    "plugin-1, forced: ", "plugin-2, others failed: plugin-1", "last, others failed: plugin-1, plugin-2",
  ]

  @Test("are skipped; no choice fails or is torn, no exposure is lost or doubled, while a ninth thread switches")
  func race() throws {
    try TestSupport.race(threads: 9, rounds: Self.rounds) { _ in
      try Subject()
    } body: { subject, thread -> [String: Int] in
      var seen: [String: Int] = [:]
      if thread < 8 {
        for turn in 0..<Self.turns {
          if turn.isMultiple(of: 20) { subject.isDue.signal() }
          seen[subject.choose(turn), default: 0] += 1
        }
        subject.finished.increment()
        subject.isDue.signal()
      }
      var turn = 0
      while thread == 8, subject.finished.value < 8 {
        subject.isDue.wait()
        turn += 1
        subject.switchOver(turn % 2)
        let choice = subject.choose(turn)
        seen[choice.hasSuffix("plugin-\(turn % 2)") ? "too late" : choice, default: 0] += 1
      }
      return seen
    } check: { subject, seen in
      let given = seen.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
      let exposures = subject.exposures.map { $0.counts.withLock { $0 } }
      #expect(exposures.reduce(into: [:]) { $0.merge($1.all, uniquingKeysWith: +) } == given)
      #expect(exposures.reduce(into: [:]) { $0.merge($1.once, uniquingKeysWith: +) } == given.mapValues { _ in 1 })
      #expect(Set(exposures.flatMap(\.kinds)).subtracting(Self.choices) == [])
    }
  }
}
