import Testing

@testable import Plug

private struct Shopper: Sendable {
  let id: String
}

private final class Dice: Sendable {
  private let random = Guarded(SplitMix64(seed: 15))

  func roll() -> UInt64 { random.withLock { $0.next() } }
}

private final class Subject: Sendable {
  let services = Injector("services")
  let exposures = Counter()
  let once = Guarded<[String: Int]>([:])
  private let tokens = Guarded<[ObservationToken]>([])

  init() throws {
    let dice = Dice()
    let policies: [FailurePolicy] = [.skip, .quarantine(after: 2, for: .microseconds(50)), .skip]
    try services.register(
      PluginPoint<String, Shopper>("search") {
        for (number, policy) in policies.enumerated() {
          Candidate(
            "plugin-\(number)",
            .factory {
              if dice.roll().isMultiple(of: 3) { throw Boom() }
              return "plugin-\(number)"
            }
          ).onFailure(policy)
        }
        Candidate("last", .factory { "last" })
      })
    try services.seal()
    let all = services.onSelection(of: String.self, .each(by: \Shopper.id)) { [exposures] _ in exposures.increment() }
    let once = services.onSelection(of: String.self, .once(per: \Shopper.id)) { [weak self] exposure in
      self?.once.withLock { $0["\(exposure.identifier ?? "") \(exposure.candidate)", default: 0] += 1 }
    }
    tokens.withLock { $0 = [all, once] }
  }
}

@Suite("Candidates that fail while others choose", .serialized)
struct FailureRaceTests {
  @Test("are passed over; no choice fails, no exposure is lost or doubled, whatever is switched meanwhile")
  func race() throws {
    try PlugTests.race(threads: 8, rounds: 10) { _ in
      try Subject()
    } body: { subject, thread -> Set<String> in
      var seen: Set<String> = []
      for turn in 0..<100 {
        if thread == 0, turn.isMultiple(of: 10) {
          if turn.isMultiple(of: 20) {
            try? subject.services.disable("plugin-0", at: "search", because: "INC-7")
          } else {
            _ = try? subject.services.restore("plugin-0", at: "search")
          }
        }
        let id = "p-\(turn % 50)"
        guard let winner = try? subject.services.get(String.self, in: Shopper(id: id)) else { return ["none"] }
        let mustBeOut = thread == 0 && turn % 20 < 10 && winner == "plugin-0"
        seen.insert(mustBeOut ? "too late" : "\(id) \(winner)")
      }
      return seen
    } check: { subject, seen in
      #expect(subject.exposures.value == 800)
      let once = subject.once.withLock { $0 }
      #expect(once.values.allSatisfy { $0 == 1 })
      #expect(Set(once.keys) == seen.reduce(into: []) { $0.formUnion($1) })
    }
  }
}
