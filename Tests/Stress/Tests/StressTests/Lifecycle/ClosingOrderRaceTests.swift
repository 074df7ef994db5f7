import TestSupport
import Testing

@testable import Plug

private final class Pool: Sendable {}

private struct Store: Sendable {
  let pool: Pool
}

/// The work on an instance before it is published.
private enum Way: CaseIterable {
  case nothing
  case decorating
  case configuring
}

/// An injector with a store that is made from a pool, and a log of the closed instances.
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

extension Injector {
  fileprivate var pool: Provider<Pool> {
    let log = resolve(Log.self)
    return provide(.singleton(Pool()).onClose { _ in log.add("pool") })
  }
}

@Suite("The order of closing after several threads have made instances", .repeatable, .timeLimit(.minutes(10)))
struct ClosingOrderRaceTests {
  @Test("is the reverse order of construction", arguments: Way.allCases, [false, true])
  fileprivate func made(_ way: Way, isScope: Bool) throws {
    try race(threads: 4) { round in
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

  /// The origin of an instance.
  enum Source: CaseIterable {
    case factory, registration, decoratedRegistration, candidate, point, contribution, provider

    fileprivate func get(_ injector: Injector, _ log: Log) throws {
      let pool = Injection.singleton(Pool()).onClose { _ in log.add("pool") }
      switch self {
      case .factory: _ = try injector.get(Pool.self)
      case .registration, .decoratedRegistration: try injector.register(injectable: pool)
      case .candidate: try injector.contribute(Pool.self, pool, when: Rule<Injector>.always)
      case .point:
        try injector.register(PluginPoint<Pool, Injector>("pools") { Candidate("pool", pool) })
      case .contribution: try injector.contribute(Pool.self, pool)
      case .provider: _ = injector.pool()
      }
    }
  }

  @Test("is fixed before an instance is visible", arguments: Source.allCases)
  func visible(source: Source) throws {
    try race(threads: 2) { _ in
      let (injector, log, isLocked) = (Injector(), Log(), Latch())
      try injector.register(injectable: .singleton(log))
      if source == .factory {
        try injector.register(injectable: .lazySingleton { Pool() }.onClose { _ in log.add("pool") })
      }
      if source == .decoratedRegistration { try injector.decorate(Pool.self) { pool, _ in pool } }
      return (injector, log, isLocked)
    } body: { (site: (injector: Injector, log: Log, isLocked: Latch), thread) in
      if thread == 0 {
        while !site.isLocked.isOpen { yieldThread() }
        return (try? source.get(site.injector, site.log)) == nil
      }
      return site.injector.state.withLock { state in
        site.isLocked.open()
        for _ in 0..<100 { yieldThread() }
        let cells = state.cells.flatMap { $0.selector?.cells ?? [$0] }
        return cells.contains { $0.registration.key == Key(Pool.self) && $0.published.box != nil }
      }
    } check: { site, areWrong in
      #expect(areWrong == [false, false])
      site.injector.closeNow()
      #expect(site.log.lines == ["pool"])
    }
  }
}
