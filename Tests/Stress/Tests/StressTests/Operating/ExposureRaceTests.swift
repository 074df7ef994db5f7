import TestSupport
import Testing

@testable import Plug
@testable import PlugOperations

private struct Shopper: Sendable, Identifiable {
  var id = "p-17"
  var isBeta = false
}

private func makeServices(isKept: Bool = false) throws -> Injector {
  func injection(_ text: String) -> Injection<String> { isKept ? .lazySingleton { text } : .factory { text } }
  let services = Injector("services")
  try services.register(
    PluginPoint<String, Shopper>("search") {
      PluginPoint("trials", when: .equals(\.isBeta, true)) { Candidate("voice", injection("voice")) }
    })
  try services.register(injectable: injection("plain"))
  try services.register(
    PluginPoint<Int, Shopper>("numbers") { for n in [1, 2] { Candidate("\(n)", .factory { n }).weight(1, by: \.id) } },
    tag: "tagged")
  try services.seal()
  return services
}

private final class Counts: Sendable {
  let all = Counter()
  let once = Locked<[String: Int]>([:])
}

@Suite("Exposures from several threads", .repeatable, .serialized)
struct ExposureRaceTests {
  @Test(
    "are neither lost nor doubled, and each is a valid choice, while candidates are switched",
    arguments: [false, true])
  func race(isKept: Bool) throws {
    try TestSupport.race(threads: 8) { _ in
      let (services, counts) = (try makeServices(isKept: isKept), Counts())
      let tokens = [
        services.onSelection(of: String.self, .each(by: \Shopper.id)) { _ in counts.all.increment() },
        services.onSelection(of: String.self, .once(per: \Shopper.id)) { exposure in
          counts.once.withLock { $0["\(exposure.identifier ?? "") \(exposure.candidate)", default: 0] += 1 }
        },
      ]
      return (services, counts, tokens)
    } body: { subject, thread -> Set<String> in
      var seen: Set<String> = []
      for turn in 0..<100 {
        if thread == 0, turn.isMultiple(of: 10) {
          if turn.isMultiple(of: 20) {
            try? subject.0.disable("voice", at: "search", because: "INC-7")
          } else {
            _ = try? subject.0.restore("voice", at: "search")
          }
        }
        let id = "p-\(turn % 50)"
        let winner = (try? subject.0.get(String.self, in: Shopper(id: id, isBeta: true))) ?? "none"
        seen.insert("\(id) \(winner == "plain" ? "default" : winner)")
      }
      return seen
    } check: { subject, seen in
      #expect(subject.1.all.value == 800)
      let once = subject.1.once.withLock { $0 }
      #expect(once.values.allSatisfy { $0 == 1 })
      #expect(Set(once.keys) == seen.reduce(into: []) { $0.formUnion($1) })
    }
  }
}
