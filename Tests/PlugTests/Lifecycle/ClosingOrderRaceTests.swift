import Testing

@testable import Plug

private final class Pool: Sendable {}

private struct Store: Sendable {
  let pool: Pool
}

/// What has to be done to an instance before others get it.
private enum Way: CaseIterable {
  case nothing
  case decorating
  case configuring
}

/// An injector with a store that is made from a pool, and what has been closed there.
private struct Site: Sendable {
  let injector: Injector
  let log = Log()

  init(_ way: Way, isScope: Bool, isSealed: Bool) throws {
    let (root, log) = (Injector(), log)
    let store: Injection<Store> =
      isScope ? .scoped { Store(pool: try $0.get()) } : .lazySingleton { Store(pool: try $0.get()) }
    let pool = (isScope ? .scoped { Pool() } : .lazySingleton { Pool() } as Injection<Pool>)
      .onClose { _ in log.add("pool") }
    try root.register(injectable: way == .configuring ? pool.configure { _, _ in yieldThread() } : pool)
    try root.register(injectable: store.onClose { _ in log.add("store") })
    if way == .decorating { try root.decorate(Pool.self) { pool, _ in pool } }
    if isSealed { try root.seal() }
    injector = isScope ? root.makeScope() : root
  }
}

@Suite("The order of closing what several threads have made", .timeLimit(.minutes(10)))
struct ClosingOrderRaceTests {
  @Test("is the reverse of that of construction", arguments: Way.allCases, [false, true])
  fileprivate func made(_ way: Way, isScope: Bool) throws {
    try race(threads: 4, rounds: 5_000) { round in
      try Site(way, isScope: isScope, isSealed: round.isMultiple(of: 2))
    } body: { site, thread in
      if thread.isMultiple(of: 2) {
        _ = try? site.injector.get(Pool.self)
      } else {
        _ = try? site.injector.get(Store.self)
      }
    } check: { site, _ in
      site.injector.closeNow()
      #expect(site.log.lines == ["store", "pool"])
    }
  }

  @Test("counts what is handed in from its registration on")
  func handedIn() throws {
    try race(threads: 4, rounds: 5_000) { _ in
      let (injector, log) = (Injector(), Log())
      try injector.register(
        injectable: .lazySingleton { Store(pool: try $0.get()) }.onClose { _ in log.add("store") })
      return (injector, log)
    } body: { (site: (injector: Injector, log: Log), thread) in
      if thread == 0 {
        let given: Injection<Pool> = .singleton(Pool()).onClose { _ in site.log.add("pool") }
        _ = try? site.injector.register(injectable: given)
      } else {
        while (try? site.injector.get(Store.self)) == nil { yieldThread() }
      }
    } check: { site, _ in
      site.injector.closeNow()
      #expect(site.log.lines == ["store", "pool"])
    }
  }

  @Test("is known before anyone sees an instance")
  func published() throws {
    try race(threads: 2, rounds: 100) { _ in
      let (injector, isRunning, isLocked) = (Injector(), Latch(), Latch())
      try injector.register(
        injectable: .lazySingleton {
          isRunning.open()
          while !isLocked.isOpen { yieldThread() }
          return Pool()
        }.onClose { _ in })
      return (injector, isRunning, isLocked)
    } body: { (site: (injector: Injector, isRunning: Latch, isLocked: Latch), thread) in
      if thread == 0 { return (try? site.injector.get(Pool.self)) == nil }
      while !site.isRunning.isOpen { yieldThread() }
      return site.injector.instanceStore.withLock { _ in
        site.isLocked.open()
        for _ in 0..<100 { yieldThread() }
        return site.injector.registrations.entries.contains { $0.parts.contains(where: \.hasInstance) }
      }
    } check: { _, areWrong in
      #expect(areWrong == [false, false])
    }
  }
}
