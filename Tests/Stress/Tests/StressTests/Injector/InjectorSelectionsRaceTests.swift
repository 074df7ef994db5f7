import PlugKeys
import TestSupport
import Testing

@testable import Plug

private enum Switch<Index>: Property { static var defaultValue: Int { 0 } }

@Suite("The selections of a service with random changes", .repeatable, .serialized)
struct InjectorSelectionsRaceTests {
  @Test("end with the right one after eight threads have set values")
  func race() async throws {
    var outcomes: [(winner: String, selections: AsyncThrowingStream<String?, any Error>)] = []
    try TestSupport.race(threads: 8) { _ in
      let injector = try makeInjector()
      return (injector, injector.selections(of: (any Networking).self))
    } body: { subject, thread in
      for value in 0..<6 {
        if thread % 2 == 0 {
          subject.0[Switch<Int>.self] = (value + thread) % 3
        } else {
          subject.0[Switch<Bool>.self] = (value + thread) % 3
        }
      }
    } check: { subject, _ in
      outcomes.append((reference(subject.0), subject.1))
      subject.0.closeNow()
    }
    // Read here and not in the rounds: while the rounds block their thread, a task might have no thread to run on.
    for outcome in outcomes {
      let winners = try await outcome.selections.reduce(into: []) { $0.append($1) }
      #expect(winners.last == outcome.winner)
      #expect(zip(winners, winners.dropFirst()).allSatisfy { $0 != $1 })
    }
  }

  @Test("equal the ones that a reference computes, over random changes")
  func random() async throws {
    var (rounds, changes) = (0, 0)
    try await Rounds.run(5) { round in
      var random = round.random
      let injector = try makeInjector()
      let selections = injector.selections(of: (any Networking).self)
      var expected: [String?] = ["fallback"]
      for _ in 0..<200 {
        let value = Int.random(in: 0..<3, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: injector[Switch<Int>.self] = value
        case 1: injector[Switch<Bool>.self] = value
        default: injector[Switch<String>.self] = value
        }
        let winner = reference(injector)
        if winner != expected.last { expected.append(winner) }
      }
      await injector.close()
      #expect(try await selections.reduce(into: []) { $0.append($1) } == expected)
      rounds += 1
      changes += expected.count
    }
    #expect(rounds < 5 || changes > rounds * 40)
  }

  private func makeInjector() throws -> Injector {
    let injector = Injector()
    try injector.register(
      PluginPoint<any Networking, Injector>("network") {
        Candidate("first") { HTTPNetworking() }.when(.property(Switch<Int>.self, 1))
        PluginPoint("nested", when: .property(Switch<Bool>.self, 1)) {
          Candidate("second") { HTTPNetworking() }.when(.property(Switch<Int>.self, 2))
          Candidate("third", priority: 1) { HTTPNetworking() }.when(.property(Switch<String>.self, .atLeast(\.self, 2)))
        }
        Candidate("fallback") { HTTPNetworking() }
      })
    return injector
  }

  /// The winner, computed independently of Plug.
  private func reference(_ injector: Injector) -> String {
    let (first, nested, third) = (
      injector[Switch<Int>.self], injector[Switch<Bool>.self] == 1, injector[Switch<String>.self]
    )
    if nested && third >= 2 { return "third" }
    if first == 1 { return "first" }
    return nested && first == 2 ? "second" : "fallback"
  }
}
