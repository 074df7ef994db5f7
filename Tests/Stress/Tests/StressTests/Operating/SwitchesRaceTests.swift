import TestSupport
import Testing

@testable import Plug
@testable import PlugOperations

private struct Shopper: Sendable {
  var isBeta = true
}

@Suite("Switches that change while others choose", .repeatable, .serialized)
struct SwitchesRaceTests {
  private let switching = [0, 1].map { forced in
    Switches([
      Switches.Switch("plugin-0", at: "search", .disabled, because: "always"),
      Switches.Switch("plugin-1", at: "search", forced == 0 ? .disabled : .forced, because: "in turns"),
      Switches.Switch("plugin-2", at: "search", forced == 0 ? .forced : .disabled, because: "in turns"),
    ])
  }

  @Test(
    "take effect with the next choice, and no choice sees a part of a change, followed or not", arguments: [4, 70],
    [false, true])
  func choices(count: Int, isFollowed: Bool) throws {
    try race(threads: 8) { _ in
      let services = Injector("services")
      try services.register(
        PluginPoint<String, Shopper>("search") {
          for number in 0..<count { Candidate("plugin-\(number)", .factory { "plugin-\(number)" }) }
        })
      try services.seal()
      services[Switches.self] = switching[0]
      let exposed = Log()
      let token = services.onSelection { exposed.add("\($0.candidate), \($0.reason)") }
      if !isFollowed { token.cancel() }
      return (services: services, exposed: exposed, token: token)
    } body: { [switching] subject, thread -> Set<String> in
      let services = subject.services
      var seen: Set<String> = []
      for turn in 0..<100 {
        let current = turn / 20 % 2
        if thread == 0, turn.isMultiple(of: 20) { services[Switches.self] = switching[current] }
        let winner = (try? services.get(String.self, in: Shopper())) ?? "none"
        let isLate = thread == 0 && winner != (current == 0 ? "plugin-2" : "plugin-1")
        seen.insert(isLate ? "too late" : winner)
      }
      return seen
    } check: { subject, seen in
      for names in seen { #expect(names.isSubset(of: ["plugin-1", "plugin-2"]), "\(names)") }
      let exposed = isFollowed ? Set(seen.joined().map { "\($0), forced" }) : []
      #expect(Set(subject.exposed.lines) == exposed)
      subject.token.cancel()
    }
  }
}
