import TestSupport
import Testing

@testable import Plug

@Suite("An optional service that is held weakly under several threads", .repeatable)
struct WeakOptionalRaceTests {
  let injector = Injector("weak")

  let living = LivingCount()

  /// Gets twice while somebody holds what is given, and once after that.
  private func check<Service: Sendable>(_ type: Service?.Type, _ make: @escaping @Sendable () -> Service) throws {
    try injector.register(as: type, injectable: .weakSingleton { make() })
    let first: Service = try #require(try injector.get(type))
    let second: Service = try #require(try injector.get(type))
    #expect(first as AnyObject === second as AnyObject)
    #expect(living.current == 1)
  }

  @Test("is one for many threads", arguments: [2, 8])
  func threads(threads: Int) throws {
    try race(threads: threads) { [living] _ -> Injector in
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
