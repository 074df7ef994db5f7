/// The waits of threads, loads and closings. There is one graph for every kind of waiting.
///
/// An edge is added under the lock of the graph before the wait begins, and one that would close a cycle is not added.
/// The maker of each cell is read while the graph is locked, so an edge that is out of date leads nowhere. The trail of
/// each waiter is copied into its edges, so nothing reads the stack of another thread.
enum WaitGraph {
  private struct Edge {
    let cell: Cell
    let attempt: UInt32
    /// The instance that the waiter has borrowed, if it waits only until that instance is finished.
    let borrowed: Session.Borrowed?
    let asker: Asker
    let waiter: Waiter

    var maker: UInt? { cell.claim.withLock { $0.attempt == attempt ? $0.maker : nil } }
  }

  private typealias Edges = [UInt: [Edge]]
  private static let edges = Guarded<Edges>([:])

  /// Enrols a waiter for a cell, unless that closes a cycle.
  ///
  /// Where a cycle contains an instance that only has to be configured, its waiter gets that unfinished instance, and
  /// waits for its end before it publishes anything.
  ///
  /// - Returns: Whether there is something to wait for. If not, the waiter has its outcome.
  @discardableResult
  static func enrol(_ waiter: Waiter, for cell: Cell, _ asker: Asker, _ injector: Injector) -> Bool {
    var held: [AnyBox] = []  // Released outside of the lock, since a `deinit` may run then.
    let (outcome, cycle) = edges.withLock { edges -> (Cell.Outcome?, [Edge]?) in
      guard let maker = cell.claim.withLock(\.maker) else { return (.look, nil) }
      var circle = route(from: maker, to: asker.works, in: edges)
      for isConfigured in [true, false] where circle != nil {
        if asker.canBorrow, let box = unfinished(cell, isConfigured, &held) { return (.take(box), nil) }
        breakCycles(through: [maker], and: asker, edges, isConfigured, &held)
        circle = route(from: maker, to: asker.works, in: edges)
      }
      while let route = circle {
        let steps = zip(route, [cell] + route.map(\.cell))
        guard
          let (edge, wanted) = steps.first(where: { edge, wanted in
            edge.borrowed == nil && edge.asker.outerCells.contains(ObjectIdentifier(wanted))
          })
        else { return (.look, route) }
        edge.waiter.wake(.circle(wanted))
        circle = Self.route(from: maker, to: asker.works, in: edges)
      }
      return (add(waiter, for: cell, madeBy: maker, nil, asker, &edges) ? nil : .look, nil)
    }
    withExtendedLifetime(held) {}
    if let outcome { waiter.wake(cycle.map { .failed(error(of: $0, to: cell, asker, injector)) } ?? outcome) }
    return outcome == nil
  }

  /// The error of a cycle.
  private static func error(of route: [Edge], to cell: Cell, _ asker: Asker, _ injector: Injector) -> RequestFailure {
    ThreadStack.current.with { $0.putAside(inside: route.last?.cell ?? cell) }
    var steps: [Step] = []
    var from = cell.registration
    for (next, trail) in route.map({ ($0.cell.registration, $0.asker.trail) }) + [(cell.registration, asker.trail)] {
      steps += trail.drop { $0.registration !== from }
      from = next
    }
    return injector.failure(.cycle(steps + [Step(cell.registration)]), cell.registration)
  }

  /// Sleeps until the borrowed instances are finished: published, or configured together with everything that they
  /// need.
  static func waitForEnd(of borrowed: [Session.Borrowed], _ asker: Asker) throws {
    // The first of several makers that ends wakes the waiter, which then waits for the rest.
    while true {
      let waiter = Waiter()
      begin(waiter, borrowed, asker)
      let outcome = waiter.wait()
      leave(waiter, asker)
      if case .failed(let error) = outcome { throw error }
      if case .proceed = outcome { return }
    }
  }

  /// Adds the waits for borrowed instances, or wakes the waiter if there is nothing to wait for.
  static func begin(_ waiter: Waiter, _ borrowed: [Session.Borrowed], _ asker: Asker) {
    var held: [AnyBox] = []
    let lost = edges.withLock { edges -> Session.Borrowed? in
      var open: [(one: Session.Borrowed, maker: UInt)] = []
      for one in borrowed {
        switch one.progress {
        case .finished: continue
        case .unfinished(let maker): open.append((one, maker))
        case .abandoned: return one
        }
      }
      if let others = othersAtTheirEnd(around: open.map(\.maker), asker, edges) {
        for other in others + [waiter] { other.wake(.proceed) }
        return nil
      }
      for isConfigured in [true, false] {
        breakCycles(through: open.map(\.maker), and: asker, edges, isConfigured, &held)
      }
      for (one, maker) in open where !add(waiter, for: one.cell, madeBy: maker, one, asker, &edges) {
        waiter.wake(.look)  // The attempt has ended meanwhile: look again.
      }
      return nil
    }
    withExtendedLifetime(held) {}
    if let lost { waiter.wake(.failed(lost.injector.failure(.abandoned, lost.cell.registration, asker.trail))) }
  }

  /// The waiters of all makers that the given ones depend on; `nil` unless each has configured its instances and waits.
  private static func othersAtTheirEnd(around makers: [UInt], _ asker: Asker, _ edges: Edges) -> [Waiter]? {
    var waiters: [Waiter] = []
    var seen = Set(asker.works)
    var open = makers
    while let maker = open.popLast() {
      guard seen.insert(maker).inserted else { continue }
      guard let waits = edges[maker], let waiter = waits.first?.waiter, !waiter.isTold else { return nil }
      for wait in waits {
        guard let borrowed = wait.borrowed, wait.waiter === waiter else { return nil }
        switch borrowed.progress {
        case .finished: continue
        case .unfinished(let next): open.append(next)
        case .abandoned: return nil  // Its borrower receives the error.
        }
      }
      waiters.append(waiter)
    }
    return waiters
  }

  /// Adds a wait, if the same maker is still at work on the cell.
  private static func add(
    _ waiter: Waiter, for cell: Cell, madeBy maker: UInt, _ borrowed: Session.Borrowed?, _ asker: Asker,
    _ edges: inout Edges
  ) -> Bool {
    let attempt = cell.claim.withLock { claim -> UInt32? in
      guard claim.maker == maker, borrowed.map({ $0.box === claim.making?.box }) ?? true else { return nil }
      claim.rare.orMade.waiters.append(waiter)
      return claim.attempt
    }
    guard let attempt else { return false }
    let edge = Edge(cell: cell, attempt: attempt, borrowed: borrowed, asker: asker, waiter: waiter)
    for work in asker.works { edges[work, default: []].append(edge) }
    return true
  }

  /// Passes an unfinished instance to each waiter for it in a cycle through the given makers.
  ///
  /// - Parameter isConfigured: Whether to pass only instances whose own configurations have run.
  private static func breakCycles(
    through makers: [UInt], and asker: Asker, _ edges: Edges, _ isConfigured: Bool, _ held: inout [AnyBox]
  ) {
    var seen = Set(makers)
    var open = makers
    while let work = open.popLast() {
      for edge in edges[work] ?? [] {
        guard let maker = edge.maker else { continue }
        if edge.borrowed == nil, let box = unfinished(edge.cell, isConfigured, &held),
          route(from: maker, to: asker.works, in: edges) != nil
        {
          // A waiter that cannot borrow looks again when it is woken, and finds the cycle itself.
          edge.waiter.wake(.take(box))
        }
        if seen.insert(maker).inserted { open.append(maker) }
      }
    }
  }

  /// The constructed instance of a cell, which is released outside of the lock.
  ///
  /// - Parameter isConfigured: Whether its own configurations must have run.
  private static func unfinished(_ cell: Cell, _ isConfigured: Bool, _ held: inout [AnyBox]) -> AnyBox? {
    guard let making = cell.claim.withLock(\.making), let box = making.box else { return nil }
    held.append(box)
    return making.isConfigured || !isConfigured ? box : nil
  }

  /// Removes the edges of a waiter that has been woken.
  static func leave(_ waiter: Waiter, _ asker: Asker) {
    let removed = edges.withLock { edges -> [Edge] in
      var removed: [Edge] = []
      for work in asker.works {
        guard let waits = edges[work] else { continue }
        removed += waits.filter { $0.waiter === waiter }
        let rest = waits.filter { $0.waiter !== waiter }
        edges[work] = rest.isEmpty ? nil : rest
      }
      return removed
    }
    withExtendedLifetime(removed) {}  // Released outside of the lock, since an instance may go with them.
  }

  /// The waits that lead from one maker to a goal; empty if the maker is a goal, and `nil` if no waits lead there.
  private static func route(from start: UInt, to goal: [UInt], in edges: Edges) -> [Edge]? {
    if goal.isEmpty { return nil }
    var steps: [(edge: Edge?, maker: UInt, previous: Int)] = [(nil, start, 0)]
    var seen: Set<UInt> = [start]
    var index = 0
    while index < steps.count {
      for edge in edges[steps[index].maker] ?? [] where !edge.waiter.isTold {
        if let maker = edge.maker, seen.insert(maker).inserted { steps.append((edge, maker, index)) }
      }
      index += 1
    }
    guard var step = steps.first(where: { goal.contains($0.maker) }) else { return nil }
    var route: [Edge] = []
    while let edge = step.edge {
      route.append(edge)
      step = steps[step.previous]
    }
    return route.reversed()
  }
}
