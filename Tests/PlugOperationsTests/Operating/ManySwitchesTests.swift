import Plug
import PlugOperations
import TestSupport
import Testing

private struct Shopper: Sendable {
  var id = "p-1"
}

@Suite("Switches of many candidates")
struct ManySwitchesTests {
  @Test("keep neither removed candidates nor their instances alive")
  func removal() throws {
    let services = Injector("services")
    let living = LivingCount()
    for number in 0..<300 {
      try services.contribute(
        Tracked.self, .lazySingleton { Tracked(living) }, when: Rule<Shopper>.always,
        id: "\(number)")
    }
    for number in 0..<100 { try services.disable("\(number)", at: "Tracked", because: "INC-7") }
    _ = try services.getAll(Tracked.self, in: Shopper())
    #expect(living.current == 200)
    for number in 100..<300 { try services.unregister(Tracked.self, candidate: "\(number)") }
    #expect(living.current == 0)
  }
}
