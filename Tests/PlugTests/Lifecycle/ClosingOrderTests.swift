import TestSupport
import Testing

@testable import Plug

private final class Pool: Sendable {}

private struct Store: Sendable {
  let pool: Pool
}

/// The order of closing instances that are published some time after their construction, since they are configured.
@Suite("The order of closing configured instances")
struct ClosingOrderTests {
  /// An injector with a store that is made from a pool.
  private func make(
    _ log: Log, configuring: @escaping @Sendable (Injector) throws -> Void
  ) throws -> Injector {
    let injector = Injector()
    try injector.register(
      injectable: .lazySingleton { Pool() }.configure { _, _ in }.onClose { _ in log.add("pool") })
    try injector.register(
      injectable: .lazySingleton { Store(pool: try $0.get()) }
        .configure { _, injector in try configuring(injector) }.onClose { _ in log.add("store") })
    return injector
  }

  @Test("omits an instance that was closed because its configuration failed")
  func failing() throws {
    let log = Log()
    let injector = try make(log) { _ in throw Failure() }
    #expect(throws: InjectorError.self) { try injector.get(Store.self) }
    #expect(log.lines == ["store"])
    _ = try injector.get(Pool.self)
    injector.closeNow()
    #expect(log.lines == ["store", "pool"])
  }

  @Test("has an instance where it was made the second time", arguments: [1, 8, 20], [false, true])
  func madeAgain(count: Int, isScoped: Bool) throws {
    let (log, isFirst, root) = (Log(), Locked(true), Injector())
    let tags = (0..<count).map { Injector.Tag(rawValue: "\($0)") }
    func injection(_ injection: Injection<Pool>, _ name: String) -> Injection<Pool> {
      injection.onClose { _ in log.add(name) }
    }
    for tag in tags {
      let make: @Sendable () -> Pool = { Pool() }
      try root.register(tag: tag, injectable: injection(isScoped ? .scoped(make) : .lazySingleton(make), tag.rawValue))
    }
    let make: @Sendable (Injector) throws -> Pool = { injector in
      if !isFirst.withLock({ $0 }) { for tag in tags { _ = try injector.get(Pool.self, tag: tag) } }
      return Pool()
    }
    try root.register(
      injectable: injection(isScoped ? .scoped(make) : .lazySingleton(make), "last").configure { _, injector in
        let fails = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        if !fails { return }
        _ = inParallel { for tag in tags { _ = try? injector.get(Pool.self, tag: tag) } }
        throw Failure()
      })
    let injector = isScoped ? root.makeScope() : root
    #expect(throws: InjectorError.self) { try injector.get(Pool.self) }
    _ = try injector.get(Pool.self)
    injector.closeNow()
    #expect(log.lines == ["last", "last"] + tags.reversed().map(\.rawValue))
  }

  @Test(
    "is the reverse one of construction, however the instances of a point end",
    arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
  func ends(made order: [Int]) throws {
    let ends: [@Sendable (Injector) throws -> Void] = [
      { $0.closeNow() }, { $0.reset() }, { try $0.reset(Pool.self) }, { try $0.unregister(Pool.self) },
      { try $0.register(PluginPoint<Pool, Int>("other") { Candidate("x") { Pool() } }) },
    ]
    for end in ends {
      let (log, injector) = (Log(), Injector(allowRewrite: true))
      try injector.register(
        PluginPoint<Pool, Int>("pools") {
          for number in 0..<3 {
            Candidate("\(number)", .lazySingleton { Pool() }.onClose { _ in log.add("\(number)") })
              .when(Rule("is \(number)") { $0 == number })
          }
        })
      for number in order { _ = try injector.get(Pool.self, in: number) }
      try end(injector)
      #expect(log.lines == order.reversed().map { "\($0)" })
    }
  }

  @Test("has each instance once, also if a configuration unregisters one")
  func unregistering() throws {
    let log = Log()
    let injector = try make(log) { try $0.unregister(Pool.self) }
    let pool = try injector.get(Store.self).pool
    #expect(log.lines == ["pool"])
    injector.closeNow()
    #expect(log.lines == ["pool", "store"])
    withExtendedLifetime(pool) {}
  }

  @Test("has each instance once if a configuration closes the injector")
  func closing() throws {
    let log = Log()
    let injector = try make(log) { $0.closeNow() }
    let error = #expect(throws: InjectorError.self) { try injector.get(Store.self) }
    guard case .closed = try #require(error) else { throw try #require(error) }
    // The store is closed when its configuration has ended.
    #expect(log.lines == ["pool", "store"])
  }

  @Test(
    "reverses the order of registration for given instances of candidates, and skips refused ones",
    arguments: [false, true], [false, true])
  func candidates(isScope: Bool, isDecorated: Bool) throws {
    let (root, log) = (Injector(), Log())
    let injector = isScope ? root.makeScope() : root
    let pool = { @Sendable id in Injection.singleton(Pool()).onClose { _ in log.add(id) } }
    let point = PluginPoint<Pool, Injector>("pools") {
      Candidate("a", pool("a"))
      PluginPoint("more") { Candidate("b", pool("b")) }
    }
    try injector.register(point)
    if isDecorated { try injector.decorate(Pool.self) { pool, _ in pool } }
    let error = #expect(throws: InjectorError.self) {
      try injector.register(PluginPoint<Pool, Injector>("others") { Candidate("c", pool("c")) })
    }
    guard case .alreadyRegistered = try #require(error) else { throw try #require(error) }
    try injector.contribute(Pool.self, pool("d"), id: "d")
    try injector.contribute(Pool.self, pool("e"), when: Rule<Injector>.always, id: "e")
    try injector.unregister(Pool.self, candidate: "d")
    #expect(log.lines == ["d"])
    _ = try injector.getAll(Pool.self)
    injector.closeNow()
    #expect(log.lines == ["d", "e", "b", "a"])
  }

  @Test("holds for tens of thousands of handed-in candidates of one point, also after a refused one")
  func manyCandidates() throws {
    let (injector, log, count) = (Injector(), Log(), 25_000)
    let candidates = (0..<count).map { number in
      Candidate<Int, Injector>("\(number)", .singleton(number).onClose { log.add("\($0)") })
    }
    let point = PluginPoint<Int, Injector>("numbers") { for candidate in candidates { candidate } }
    try injector.register(point)
    #expect(throws: InjectorError.self) { try injector.register(point) }
    #expect(log.lines.isEmpty)
    injector.closeNow()
    #expect(log.lines == (0..<count).reversed().map { "\($0)" })
  }

  @Test("holds for any number of instances that one request makes", arguments: [false, true], [false, true])
  func many(isScope: Bool, isFailing: Bool) throws {
    let (root, log, count) = (Injector(), Log(), 10_000)
    let tags = (0..<count).map { Injector.Tag(rawValue: "\($0)") }
    for (number, tag) in tags.enumerated() {
      let made: Injection<Int> = isScope ? .scoped { number } : .lazySingleton { number }
      let configured = made.configure { number, _ in
        if isFailing, number == count - 1 { throw Failure() }
      }
      try root.register(as: Int.self, tag: tag, injectable: configured.onClose { log.add("\($0)") })
    }
    try root.register(injectable: .factory { injector in try tags.map { try injector.get(Int.self, tag: $0) } })
    let injector = isScope ? root.makeScope() : root
    let numbers = try? injector.get([Int].self)
    #expect(numbers?.count == (isFailing ? nil : count))
    injector.closeNow()
    #expect(log.lines == (0..<count).reversed().map { "\($0)" })
  }
}
