import Plug
import Testing

/// Tells a counter that it is gone.
private final class Revision: Sendable {
  let number: Int
  private let released: Counter

  init(_ number: Int, released: Counter) {
    self.number = number
    self.released = released
  }

  deinit { released.increment() }
}

@Suite("An instance that is not registered any more", .serialized)
struct ReadCopyUpdateTests {
  @Test("is released as soon as it is replaced, unregistered or its injector is gone", arguments: [false, true])
  func release(isSealed: Bool) throws {
    weak var replaced: Instance?
    weak var unregistered: Instance?
    weak var kept: Instance?
    weak var unbuilt: Instance?
    do {
      let injector = Injector(allowRewrite: true)
      try injector.register(injectable: .singleton(Instance()))
      replaced = try injector.get(Instance.self)
      try injector.register { Instance() }
      #expect(replaced == nil)
      unregistered = try injector.get(Instance.self)
      try injector.unregister(type: Instance.self)
      #expect(unregistered == nil)
      let given = Instance()
      try injector.register(tag: "kept") { Instance() }
      try injector.register(tag: "unbuilt", injectable: .lazySingleton(given) { Instance() })
      if isSealed { try injector.seal() }
      kept = try injector.get(Instance.self, tag: "kept")
      unbuilt = given
      #expect(kept != nil && unbuilt != nil)
    }
    #expect(kept == nil && unbuilt == nil)
  }

  @Test("stays whole for those who are getting it, and is released after them", arguments: [2, 8])
  func replacement(threads: Int) throws {
    try race(threads: threads, rounds: 2_000) { _ in
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
