import Plug
import PlugKeys
import Synchronization
import TestSupport
import Testing

private final class Announcement: Sendable {
  let value = Atomic(0)
}

private enum Count: Property {
  static var defaultValue: Int { 0 }
}

@Suite("A copy of a value in a word under several threads", .repeatable, .serialized)
struct WordCopyRaceTests {
  @Test("never returns an older value after a newer one, while its property is set and reset")
  func race() throws {
    let limit = 2_000
    try TestSupport.race(threads: 4) { _ in
      let services = Injector()
      services[Count.self] = 0
      return (services: services, announced: Announcement())
    } body: { subject, thread -> Bool in
      let (services, announced) = subject
      if thread > 0 { return reader(of: services, announced, limit) }
      for value in 1...limit {
        if value.isMultiple(of: 64) { services.reset(Count.self) }
        services[Count.self] = value
        announced.value.store(value, ordering: .releasing)
      }
      return true
    } check: { _, outcomes in
      #expect(outcomes == [true, true, true, true])
    }
  }

  /// Whether every value is at least as new as one announced before its read. A reset property has the value 0.
  private func reader(of services: Injector, _ announced: Announcement, _ limit: Int) -> Bool {
    var known = 0
    while known < limit {
      known = announced.value.load(ordering: .acquiring)
      let value = services[Count.self]
      if value != 0, value < known { return false }
    }
    return true
  }
}
