import TestSupport
import Testing

@testable import Plug

@Suite("A service registered only with arguments under several threads", .repeatable)
struct ArgumentsRegistrationRaceTests {
  @Test("keeps nothing after its removal or replacement, and makes at most one", arguments: [true, false])
  func removedMeanwhile(isReplaced: Bool) throws {
    try race(threads: 4) { _ -> (injector: Injector, old: LivingCount) in
      let (injector, old) = (Injector(allowRewrite: true), LivingCount())
      try injector.register(Tracked.self, taking: Int.self, lifetime: .lazySingleton) { _, _ in Tracked(old) }
      return (injector, old)
    } body: { subject, thread -> Bool in
      let injector = subject.injector
      if thread > 0 { return (try? injector.get(Tracked.self, with: 1)) != nil }
      if isReplaced {
        let new = LivingCount()
        _ = try? injector.register(Tracked.self, taking: Int.self, lifetime: .lazySingleton) { _, _ in Tracked(new)
        }
      } else {
        _ = try? injector.unregister(Tracked.self, taking: Int.self)
      }
      return true
    } check: { subject, outcomes in
      if isReplaced { #expect(outcomes == [true, true, true, true]) }
      #expect(subject.old.total <= 1 && subject.old.current == 0)
    }
  }
}
