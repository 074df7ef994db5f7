/// Which work waits for which, over all injectors and tasks: loads and closings, for each other and among themselves.
///
/// Whoever does something and waits for something else is an edge, before it waits; one that would close a circle is
/// refused. An edge belongs to the work that waits, and goes with it at the latest: what others wait for may be done by
/// several works, one after the other or at once.
final class TaskGraph: Sendable {
  typealias Node = AnyObject & Sendable

  /// Why something is not waited for: that waits for the one who asks.
  struct Circle: Error {
    /// What leads from the one who asks back to it.
    let path: [String]
    /// Whether that comes to an injector that is being closed.
    let hasClosing: Bool
  }

  private struct Wait {
    let work: any TaskWork
    let wanted: any Node
    /// What leads to it, with itself at the end.
    let names: [String]
  }

  static let shared = TaskGraph()

  /// By what others wait for.
  private let waits = Guarded<[ObjectIdentifier: [Wait]]>([:])

  /// Waits for something, for the work that the calling code belongs to.
  ///
  /// - Parameter names: What leads to what is wanted, with that at the end.
  func wait<Result>(
    for wanted: any Node, _ names: @autoclosure () -> [String], _ body: () async -> Result
  ) async throws(Circle) -> Result {
    guard let work = TaskGraph.work else { return await body() }
    try begin(work, for: wanted, names())
    let result = await body()
    end(work, for: wanted)
    return result
  }

  /// Adds an edge, unless the work is over.
  func begin(_ work: any TaskWork, for wanted: any Node, _ names: [String]) throws(Circle) {
    let wait = Wait(work: work, wanted: wanted, names: work.names.dropFirst() + names)
    try waits.withLock { waits throws(Circle) in
      if let rest = way(from: wanted, to: work.node, in: waits) {
        let way = [wait] + rest
        throw Circle(
          path: work.names.prefix(1) + way.flatMap(\.names), hasClosing: way.contains { $0.wanted is ClosingIdentity })
      }
      if !work.isOver { waits[ObjectIdentifier(work.node), default: []].append(wait) }
    }
  }

  /// Removes an edge.
  func end(_ work: any TaskWork, for wanted: any Node) {
    remove(of: work) { waits in
      waits.firstIndex { $0.work === work && $0.wanted === wanted }.map { [waits.remove(at: $0)] } ?? []
    }
  }

  /// Removes what is left of the edges of a work that is over.
  func end(_ work: any TaskWork) {
    remove(of: work) { waits in
      defer { waits.removeAll { $0.work === work } }
      return waits.filter { $0.work === work }
    }
  }

  private func remove(of work: any TaskWork, _ remove: (inout [Wait]) -> [Wait]) {
    let key = ObjectIdentifier(work.node)
    // Released outside of the lock: the last references to what was waited for may go with them.
    let removed = waits.withLock { waits -> [Wait] in
      guard var own = waits[key] else { return [] }
      let removed = remove(&own)
      waits[key] = own.isEmpty ? nil : own
      return removed
    }
    withExtendedLifetime(removed) {}
  }

  /// A way along the edges, depth first.
  private func way(from start: any Node, to goal: any Node, in waits: [ObjectIdentifier: [Wait]]) -> [Wait]? {
    var seen: Set<ObjectIdentifier> = []
    var pending: [(node: any Node, way: [Wait])] = [(start, [])]
    while let (node, way) = pending.popLast() {
      if node === goal { return way }
      guard seen.insert(ObjectIdentifier(node)).inserted else { continue }
      for wait in waits[ObjectIdentifier(node)] ?? [] { pending.append((wait.wanted, way + [wait])) }
    }
    return nil
  }
}
