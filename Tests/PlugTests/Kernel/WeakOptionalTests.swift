import TestSupport
import Testing

@testable import Plug

private protocol Bound: AnyObject, Sendable {}

private final class Token: Bound {
  private let living: LivingCount

  init(_ living: LivingCount) {
    self.living = living
    living.begin()
  }

  deinit { living.end() }
}

@Suite("An optional service with a weak reference")
struct WeakOptionalTests {
  let injector = Injector("weak")

  let living = LivingCount()

  /// Gets the service twice while the instance is held, and once after its release.
  private func check<Service: Sendable>(_ type: Service?.Type, _ make: @escaping @Sendable () -> Service) throws {
    try injector.register(as: type, injectable: .weakSingleton { make() })
    let first: Service = try #require(try injector.get(type))
    let second: Service = try #require(try injector.get(type))
    #expect(first as AnyObject === second as AnyObject)
    #expect(living.current == 1)
  }

  @Test("is one instance while an owner holds it, for every kind of optional")
  func shared() throws {
    try check((any Networking)?.self) { [living] in Tracked(living) }
    #expect(living.current == 0)
    try check(Tracked?.self) { [living] in Tracked(living) }
    try check((any Bound)?.self) { [living] in Token(living) }
    #expect(living.current == 0)
  }

  @Test("is nil if the factory returns nil, which is not kept")
  func none() throws {
    let next = Locked<Tracked?>(nil)
    try injector.register(
      as: (any Networking)?.self, injectable: .weakSingleton { next.withLock { $0 } })
    #expect(try injector.get((any Networking)?.self) == nil)
    next.withLock { [living] in $0 = Tracked(living) }
    let held = try injector.get((any Networking)?.self)
    next.withLock { $0 = nil }
    let again = try injector.get((any Networking)?.self)
    #expect(try #require(again) as AnyObject === #require(held) as AnyObject)
    #expect(held?.name == "tracked")
  }

  @Test("must be of a class type, too")
  func values() throws {
    let refusal = #expect(throws: InjectorError.self) {
      try injector.register(as: Int?.self, injectable: .weakSingleton { 1 })
    }
    #expect(
      refusal?.description.hasPrefix(
        "Optional<Int> cannot be a weakSingleton: Optional<Int> is not a class, and only objects can be held weakly.")
        == true)
    try injector.register(as: (any Networking)?.self, injectable: .weakSingleton { HTTPNetworking() })
    let failure = #expect(throws: InjectorError.self) { try injector.get((any Networking)?.self) }
    #expect(
      failure?.description.hasPrefix(
        "Optional<Networking> cannot be a weakSingleton: HTTPNetworking is not a class, and only") == true)
  }
}
