import Plug
import TestSupport
import Testing

@Suite("An optional service with a weak reference under several threads", .repeatable)
struct WeakOptionalRaceTests {
  @Test("is the same instance for many threads", arguments: [2, 8])
  func threads(threads: Int) throws {
    let living = LivingCount()
    try race(threads: threads) { _ -> Injector in
      let injector = Injector()
      try injector.register(as: (any Networking)?.self, injectable: .weakSingleton { Tracked(living) })
      return injector
    } body: { injector, _ -> (any Networking)? in
      (try? injector.get((any Networking)?.self)) ?? nil
    } check: { _, instances in
      #expect(Set(instances.compactMap { $0 }.map { ObjectIdentifier($0 as AnyObject) }).count == 1)
    }
  }
}
