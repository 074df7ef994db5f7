import Plug
import TestSupport
import Testing

private struct Small: Sendable, Equatable {
  var text = "a text that needs memory of its own"
}

private struct Owner: Sendable {
  let counter: Counter
}

private final class Ring<Number>: Sendable {
  init(_ other: (any AnyObject & Sendable)?) {}
}

private enum First {}
private enum Second {}

@Suite("An instance that a scope keeps, under several threads,", .repeatable, .serialized)
struct ScopedInstanceRaceTests {
  @Test("is made once and released once", arguments: [2, 8])
  func once(threads: Int) throws {
    let living = LivingCount()
    var rounds = 0
    let services = try makeSealed { services in
      try services.register(
        as: (any Networking).self, injectable: .scoped(wiring: { () -> Tracked in Tracked(living) }))
    }
    try race(threads: threads) { _ in
      rounds += 1
      return services.makeScope()
    } body: { (scope: Injector, _) in
      (try? scope.get((any Networking).self)).map { ObjectIdentifier($0 as AnyObject) }
    } check: { scope, outcomes in
      #expect(Set(outcomes).count == 1 && outcomes[0] != nil && living.current == 1)
      scope.closeNow()
      #expect(living.current == 0)
    }
    #expect(living.total == rounds)
  }

  @Test("is refused when it needs itself, on one thread or across several", arguments: [1, 2, 4])
  func circle(threads: Int) throws {
    let services = try makeSealed { services in
      try services.register(as: Ring<First>.self, injectable: .scoped { Ring(try $0.get(Ring<Second>.self)) })
      try services.register(as: Ring<Second>.self, injectable: .scoped { Ring(try $0.get(Ring<First>.self)) })
    }
    let paths = [["Ring<First>", "Ring<Second>", "Ring<First>"], ["Ring<Second>", "Ring<First>", "Ring<Second>"]]
    try race(threads: threads) { _ in
      services.makeScope()
    } body: { scope, thread in
      thread.isMultiple(of: 2)
        ? scope.outcome(Ring<First>.self).circularPath : scope.outcome(Ring<Second>.self).circularPath
    } check: { scope, outcomes in
      #expect(outcomes.allSatisfy { path in path.map(paths.contains) == true })
      #expect(scope.outcome(Ring<First>.self).circularPath == paths[0])
      #expect(scope.outcome(Ring<Second>.self).circularPath == paths[1])
    }
  }

  @Test(
    "is tried again after a failure, and each waiter gets the error or the instance", arguments: [1, 8])
  func failure(threads: Int) throws {
    let counter = Counter()
    let services = try makeSealed { services in
      try services.register(
        as: (any Networking).self,
        injectable: .scoped(wiring: { () throws -> Instance in
          if !counter.increment().isMultiple(of: 3) { throw Failure() }
          return Instance()
        }))
    }
    try race(threads: threads) { _ in
      services.makeScope()
    } body: { (scope: Injector, _) -> Bool in
      switch scope.outcome((any Networking).self) {
      case .success: true
      case .failure(.constructionFailed(_, let underlying)): underlying is Failure
      case .failure: false
      }
    } check: { scope, outcomes in
      #expect(!outcomes.contains(false))
      while (try? scope.get((any Networking).self)) == nil {}
      let instances = try [scope.get((any Networking).self), scope.get((any Networking).self)].map { $0 as? Instance }
      #expect(instances[0] === instances[1])
    }
  }

  @Test("is released when its scope is closed or reset meanwhile", arguments: [false, true], [2, 4])
  func closing(resets: Bool, threads: Int) throws {
    let living = LivingCount()
    let services = try makeSealed { services in
      try services.register(
        as: (any Networking).self, injectable: .scoped(wiring: { () -> Tracked in Tracked(living) }))
      try services.register(injectable: .scoped(wiring: { (_: any Networking) -> Small in Small() }))
    }
    try race(threads: threads) { _ in
      services.makeScope()
    } body: { (scope: Injector, thread) -> Bool in
      if thread == 0 {
        if resets { scope.reset() } else { scope.closeNow() }
        return true
      }
      switch scope.outcome(Small.self) {
      case .success, .failure(.closed): return true
      case .failure: return false
      }
    } check: { scope, outcomes in
      #expect(!outcomes.contains(false))
      if resets {
        let small = try scope.get(Small.self)
        #expect(small == Small())
      }
      scope.closeNow()
      #expect(living.current == 0)
    }
  }

  @Test("is not published before its dependencies are configured", arguments: [2, 8])
  func configuredLater(threads: Int) throws {
    let services = try makeSealed { services in
      try services.register(injectable: .scoped { Counter() }.configure { counter, _ in counter.increment() })
      try services.register(injectable: .scoped(wiring: Owner.init))
    }
    try race(threads: threads) { _ in
      services.makeScope()
    } body: { (scope: Injector, _) in
      (try? scope.get(Owner.self))?.counter.value
    } check: { scope, outcomes in
      #expect(outcomes.allSatisfy { $0 == 1 })
    }
  }

  @Test("ends with its scope, for each of many scopes", arguments: [1, 8])
  func many(threads: Int) throws {
    let living = LivingCount()
    var rounds = 0
    let services = try makeSealed { services in
      try services.register(
        as: (any Networking).self, injectable: .scoped(wiring: { () -> Tracked in Tracked(living) }))
      try services.register(injectable: .scoped(wiring: { (_: any Networking) -> Small in Small() }))
    }
    try race(threads: threads) { _ in
      rounds += 1
      return services
    } body: { (services: Injector, _) in
      (0..<(1_000 / threads)).allSatisfy { number in
        let scope = services.makeScope()
        let isThere = (try? scope.get(Small.self)) == Small()
        if number.isMultiple(of: 2) { scope.closeNow() }
        return isThere
      }
    } check: { _, outcomes in
      #expect(!outcomes.contains(false) && living.current == 0)
    }
    #expect(living.total == rounds * (1_000 / threads) * threads)
  }
}
