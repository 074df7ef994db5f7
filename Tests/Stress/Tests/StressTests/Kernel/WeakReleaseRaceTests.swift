import Plug
import Synchronization
import TestSupport
import Testing

/// An instance whose release requests another one, for a limited number of times.
private final class Returning: Sendable {
  private let injector: Injector
  private let budget: Budget

  init(_ injector: Injector, _ budget: Budget) { (self.injector, self.budget) = (injector, budget) }

  deinit {
    if budget.take() { _ = try? injector.get(Returning.self) }
  }
}

private final class Budget: Sendable {
  private let used = Atomic(0)

  func take() -> Bool { used.add(1, ordering: .relaxed).newValue <= 50 }
}

@Suite("A weak singleton whose release requests it", .repeatable, .serialized)
struct WeakReleaseRaceTests {
  @Test("is released outside of every lock, whichever thread had the last reference", arguments: [2, 8])
  func release(threads: Int) throws {
    try race(threads: threads) { _ -> Injector in
      let (injector, budget) = (Injector(), Budget())
      try injector.register(injectable: .weakSingleton { Returning($0, budget) })
      return injector
    } body: { injector, _ -> Int in
      (0..<200).count { _ in (try? injector.get(Returning.self)) != nil }
    } check: { _, counts in
      #expect(counts == Array(repeating: 200, count: threads))
    }
  }
}
