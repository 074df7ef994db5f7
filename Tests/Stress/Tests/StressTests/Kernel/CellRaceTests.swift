import Plug
import Synchronization
import TestSupport
import Testing

/// An atomic flag that closures can share.
private final class Box: Sendable {
  let flag: Atomic<Bool>

  init(_ flag: consuming Atomic<Bool>) {
    self.flag = flag
  }
}

@Suite("A lazy singleton that several threads request", .repeatable, .serialized)
struct CellRaceTests {
  @Test("is made exactly once, and all threads get the same instance", arguments: [2, 8], [false, true])
  func madeOnce(threads: Int, sealed: Bool) throws {
    try race(threads: threads) { _ in
      let injector = Injector()
      let made = Counter()
      try injector.register(as: Instance.self) {
        made.increment()
        return Instance()
      }
      if sealed { try injector.seal() }
      return (injector, made)
    } body: { subject, _ in
      subject.0.outcome(Instance.self)
    } check: { subject, outcomes in
      let instances = try outcomes.map { ObjectIdentifier(try $0.get()) }
      #expect(subject.1.value == 1)
      #expect(Set(instances).count == 1 && instances.count == threads)
    }
  }

  @Test("throws to every waiting thread when it fails, and is made by the next request", arguments: [2, 8])
  func failureIsNotKept(threads: Int) throws {
    try race(threads: threads) { _ in
      let injector = Injector()
      let fails = Atomic(true)
      let box = Box(fails)
      try injector.register(as: Instance.self) {
        if box.flag.load(ordering: .acquiring) { throw Failure() }
        return Instance()
      }
      return (injector, box)
    } body: { subject, _ in
      subject.0.outcome(Instance.self)
    } check: { subject, outcomes in
      let failures = outcomes.filter { outcome in
        if case .failure(.constructionFailed(_, let error)) = outcome { error is Failure } else { false }
      }
      #expect(failures.count == threads)
      subject.1.flag.store(false, ordering: .releasing)
      let instance = try subject.0.get(Instance.self)
      #expect(try instance === subject.0.get(Instance.self))
    }
  }
}
