import Plug
import Synchronization
import TestSupport
import Testing

private final class Page: Sendable {
  let number: Int

  init(_ number: Int) {
    self.number = number
  }
}

private final class ResetMark: Sendable {
  let value = Atomic(0)
}

@Suite("What a sealed injector reads under several threads", .repeatable, .serialized)
struct SealedSlotsRaceTests {
  @Test("is not what has been reset, once the reset has ended")
  func reset() throws {
    let last = Locked(0)
    let services = Injector()
    try services.register(
      injectable: .lazySingleton {
        Page(
          last.withLock { last in
            last += 1
            return last
          })
      })
    try services.seal()
    try race(threads: 4) { _ in
      ResetMark()
    } body: { isReset, thread in
      if thread == 0 {
        let before = try? services.get(Page.self).number
        try? services.reset(type: Page.self)
        isReset.value.store(before ?? 0, ordering: .sequentiallyConsistent)
        return true
      }
      let old = isReset.value.load(ordering: .sequentiallyConsistent)
      return ((try? services.get(Page.self).number) ?? 0) > old
    } check: { isReset, outcomes in
      #expect(outcomes == [true, true, true, true])
      let now = try services.get(Page.self).number
      #expect(now > isReset.value.load(ordering: .relaxed))
    }
  }

  @Test("is refused when it is closed, on every thread")
  func closed() throws {
    try race(threads: 4) { _ in
      let services = Injector()
      try services.register(injectable: .lazySingleton { Page(1) })
      _ = try services.get(Page.self)
      try services.seal()
      return services
    } body: { services, thread in
      if thread == 0 { services.closeNow() }
      while let page = try? services.get(Page.self) {
        if page.number != 1 { return false }
      }
      return services.isClosed
    } check: { _, outcomes in
      #expect(outcomes == [true, true, true, true])
    }
  }
}
