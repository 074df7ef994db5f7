import TestSupport
import Testing

@testable import Plug

private final class Connection: Sendable {
  let number: Int
  init(_ number: Int) { self.number = number }
}

extension Injector {
  /// Waits until a thread waits for the instance that this injector makes.
  fileprivate func waitForWaiter() {
    let cell = state.withLock { $0.kept.cells.first ?? $0.cell(of: Key(Connection.self)) }
    while cell?.claim.withLock(\.waiters.isEmpty) ?? false { yieldThread() }
  }
}

/// An instance whose registration ends while its factory runs.
@Suite("An instance that is replaced while it is made")
struct ReplacedMeanwhileTests {
  private let log = Log()
  private let made = Counter()

  /// An injection whose first factory calls a closure.
  private func injection(
    isScoped: Bool = false, _ first: @escaping @Sendable (Injector) throws -> Void
  ) -> Injection<Connection> {
    let make: @Sendable (Injector) throws -> Connection = { [made] injector in
      let number = made.increment()
      if number == 1 { try first(injector) }
      return Connection(number)
    }
    let injection = isScoped ? Injection.scoped(make) : .lazySingleton(make)
    return injection.onClose { [log] one in log.add("\(one.number) closed") }
  }

  @Test("is closed, and the request gets a new one", arguments: [false, true])
  func reset(isScoped: Bool) throws {
    let root = Injector()
    try root.register(injectable: injection(isScoped: isScoped) { $0.reset() })
    let scope = root.makeScope()
    #expect(try scope.get(Connection.self).number == 2)
    #expect(log.lines == ["1 closed"])
    #expect(try scope.get(Connection.self).number == 2)
  }

  enum End: CaseIterable, Sendable { case reset, resetOfService, rewrite, removal }

  @Test("gives threads that wait for it the new one, too", arguments: End.allCases, [false, true])
  func waiters(end: End, isScoped: Bool) throws {
    let (root, isBegun) = (Injector(allowRewrite: true), Rendezvous(2))
    let later = injection(isScoped: isScoped) { _ in }
    try root.register(
      injection(isScoped: isScoped) { injector in
        isBegun.meet()
        injector.waitForWaiter()
        switch end {
        case .reset: injector.reset()
        case .resetOfService: try injector.reset(Connection.self)
        case .rewrite: try root.register(later)
        case .removal: try root.unregister(Connection.self)
        }
      })
    let injector = isScoped ? root.makeScope() : root
    let outcomes = inParallel(
      { injector.outcome(Connection.self) },
      {
        isBegun.meet()
        return injector.outcome(Connection.self)
      })
    // A scope keeps what it has begun to make of a registration further out.
    let isKept = isScoped && (end == .rewrite || end == .removal)
    let number = isKept ? 1 : end == .removal ? nil : 2
    #expect(outcomes.map { try? $0.get().number } == [number, number])
    #expect(try number == nil || outcomes[0].get() === outcomes[1].get())
    for case .failure(let error) in outcomes {
      #expect(error.headline == "get(Connection.self) failed: nothing is registered for Connection.")
    }
    #expect(log.lines == (isKept ? [] : ["1 closed"]))
  }

  @Test("by another registration gives way to an instance of that")
  func rewritten() throws {
    let injector = Injector(allowRewrite: true)
    let later = injection { _ in }
    try injector.register(injectable: injection { try $0.register(injectable: later) })
    #expect(try injector.get(Connection.self).number == 2)
    #expect(log.lines == ["1 closed"])
  }

  @Test("is absent for optional requests if nothing is registered any more")
  func absent() throws {
    let injector = Injector(allowRewrite: true)
    for request: @Sendable () throws -> Bool in [
      { injector[Connection.self] == nil }, { try injector.get(Connection?.self) == nil },
      { try injector.getAll(Connection.self).isEmpty }, { try Injected<Connection?>(injector: injector).get() == nil },
    ] {
      let made = Counter()
      try injector.register(
        injectable: .lazySingleton { (injector: Injector) in
          try injector.unregister(Connection.self)
          return Connection(made.increment())
        }.onClose { _ in })
      #expect(try request())
      #expect(made.value == 1)
    }
  }

  @Test("each time ends with an error, and not with a loop, also where a scope decorates it", arguments: [false, true])
  func endless(isDecorated: Bool) throws {
    let root = Injector()
    let injector = isDecorated ? root.makeScope("inner") : root
    try root.register(
      injectable: .lazySingleton { [made] (injector: Injector) in
        injector.reset()
        return Connection(made.increment())
      }.onClose { _ in })
    let line = #line - 5
    if isDecorated { try injector.decorate(Connection.self) { connection, _ in connection } }
    let error = try #require(throws: InjectorError.self) { try injector.get(Connection.self) }
    #expect(
      error.description == """
        get(Connection.self) failed: Connection was replaced or reset during each of 1000 attempts to make it.
          service:        Connection
          injector:       \(isDecorated ? "inner" : "(unnamed)")
          chain:          Connection
          asked at:       PlugTests/ReplacedMeanwhileTests.swift:\(line + 7)
          registered at:  PlugTests/ReplacedMeanwhileTests.swift:\(line)
        To fix this:
          - Do not register, unregister or reset a service in its own factory.
          - Or do it less often where other threads request the service.
        """)
    #expect(made.value <= 1_001)
  }

  enum Replaced: CaseIterable, Sendable { case candidate, fallback, instances }

  @Test("as a candidate begins the choice again, in the same context", arguments: Replaced.allCases, [false, true])
  func candidate(replaced: Replaced, isAll: Bool) throws {
    let injector = Injector(allowRewrite: true)
    let isOne = Rule<Int>("one") { $0 == 1 }
    let later = injection { _ in }
    let first = injection { injector in
      switch replaced {
      case .candidate: try injector.contribute(Connection.self, later, when: isOne, id: "main", priority: 1)
      case .fallback: try injector.register(Connection.self, later)
      case .instances: injector.reset()
      }
    }
    if replaced == .fallback {
      try injector.register(Connection.self, first)
    } else {
      try injector.contribute(Connection.self, first, when: isOne, id: "main", priority: 1)
    }
    try injector.contribute(
      Connection.self, .factory { Connection(0) }, when: Rule<Int>("any") { $0 == 1 && isAll }, id: "other")
    let found = isAll ? try injector.getAll(Connection.self, in: 1) : [try injector.get(Connection.self, in: 1)]
    #expect(found.map(\.number) == (!isAll ? [2] : replaced == .fallback ? [0, 2] : [2, 0]))
    #expect(log.lines == ["1 closed"])
    #expect(made.value == 2)
  }

  @Test("as a candidate answers the request that has made it, if nothing has to be closed", arguments: [false, true])
  func open(isAll: Bool) throws {
    let injector = Injector()
    try injector.contribute(
      Connection.self,
      .lazySingleton { [made] (injector: Injector) in
        injector.reset()
        return Connection(made.increment())
      }, id: "main")
    for number in 1...2 {
      let found = isAll ? try injector.getAll(Connection.self) : [try injector.get(Connection.self)]
      #expect(found.map(\.number) == [number])
    }
  }

  @Test("is kept further out if a scope registers it for an outer scope that has registered the service itself")
  func outer() throws {
    let activity = Injector().makeScope("activity")
    try activity.register(injectable: .factory { Connection(1) })
    let inner = activity.makeScope("inner")
    try inner.register(injectable: .scoped(in: "activity") { Connection(2) })
    let connection = try inner.get(Connection.self)
    #expect(connection.number == 2)
    #expect(try inner.get(Connection.self) === connection)
    #expect(try activity.get(Connection.self).number == 1)
  }
}
