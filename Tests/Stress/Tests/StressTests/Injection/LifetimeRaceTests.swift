import Plug
import TestSupport
import Testing

/// Two dependencies that refer to the same instance of one request.
private struct Pair: Sendable {
  let first: Holder
  let second: Holder
}

private struct Holder: Sendable {
  let instance: Tracked
}

@Suite("A lifetime under several threads", .repeatable, .serialized)
struct LifetimeRaceTests {
  @Test("weakSingleton returns the same instance to all threads that hold it", arguments: [1, 8])
  func weakOnThreads(threads: Int) throws {
    let living = LivingCount()
    try race(threads: threads) { _ -> Injector in
      let injector = Injector()
      try injector.register(as: (any Networking).self, injectable: .weakSingleton { Tracked(living) })
      try injector.register { Tracked(living) }
      return injector
    } body: { injector, _ -> Tracked? in
      try? injector.get((any Networking).self) as? Tracked
    } check: { _, instances in
      #expect(Set(instances.compactMap { $0.map(ObjectIdentifier.init) }).count == 1)
      #expect(instances.count == threads && living.current == 1)
    }
  }

  @Test("Threads do not share the instances of graph", arguments: [1, 8])
  func graphOnThreads(threads: Int) throws {
    let living = LivingCount()
    try race(threads: threads) { _ -> Injector in
      let injector = Injector()
      try injector.register(injectable: .graph { Tracked(living) })
      try injector.register(injectable: .factory(wiring: Holder.init))
      try injector.register(injectable: .lazySingleton(wiring: Pair.init))
      try injector.register(tag: "new", injectable: .factory(wiring: Pair.init))
      return injector
    } body: { injector, _ -> [Pair] in
      (try? [injector.get(Pair.self), injector.get(Pair.self, tag: "new")]) ?? []
    } check: { _, pairs in
      let pairs = Array(pairs.joined())
      #expect(pairs.count == 2 * threads)
      #expect(pairs.allSatisfy { $0.first.instance === $0.second.instance })
      #expect(Set(pairs.map { ObjectIdentifier($0.first.instance) }).count == threads + 1)
      #expect(living.current == threads + 1)
    }
  }

  @Test("lazySingleton, singleton and factory return instances that their owners release", arguments: [1, 8])
  func others(threads: Int) throws {
    let living = LivingCount()
    try race(threads: threads) { _ -> Injector in
      let injector = Injector()
      try injector.register(injectable: .lazySingleton { Tracked(living) })
      try injector.register(tag: "given", injectable: .singleton(Tracked(living)))
      try injector.register(tag: "new", injectable: .factory { Tracked(living) })
      return injector
    } body: { injector, _ -> [Tracked]? in
      try? ["new", "given", nil].map { try injector.get(Tracked.self, tag: $0) }
    } check: { _, instances in
      #expect(instances.count == threads && living.current == threads + 2)
    }
  }
}
