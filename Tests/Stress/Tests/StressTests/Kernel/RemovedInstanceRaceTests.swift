import Plug
import TestSupport
import Testing

/// Increments a counter when it is released.
private final class Revision: Sendable {
  let number: Int
  private let released: Counter

  init(_ number: Int, released: Counter) {
    self.number = number
    self.released = released
  }

  deinit { released.increment() }
}

@Suite("An instance whose registration is removed under several threads", .repeatable, .serialized)
struct RemovedInstanceRaceTests {
  @Test("stays valid for the threads that get it, and is released after them", arguments: [2, 8])
  func replacement(threads: Int) throws {
    try race(threads: threads) { _ in
      (injector: Injector(allowRewrite: true), released: Counter())
    } body: { subject, thread in
      var last = -1
      for number in 0..<4 {
        if thread == 0 {
          _ = try? subject.injector.register(injectable: .singleton(Revision(number, released: subject.released)))
        } else if let found = subject.injector[Revision.self] {
          if found.number < last { return false }
          last = found.number
        }
      }
      return true
    } check: { subject, outcomes in
      #expect(outcomes == Array(repeating: true, count: threads))
      #expect(subject.released.value == 3)
      #expect(subject.injector[Revision.self]?.number == 3)
    }
  }
}
