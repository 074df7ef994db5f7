/// Which work waits for which, over all injectors and tasks: loads for each other, and closings for each other.
///
/// Whoever does something and waits for something else is an edge, before it waits; one that would close a circle is
/// refused.
final class TaskGraph: Sendable {
  typealias Node = AnyObject & Sendable

  private struct Wait {
    let wanted: any Node
    /// What leads to it, with itself at the end.
    let names: [String]
  }

  static let ofLoads = TaskGraph()
  static let ofClosings = TaskGraph()

  private let waits = Guarded<[ObjectIdentifier: [Wait]]>([:])

  /// Adds an edge.
  ///
  /// - Parameter names: What leads from the one who waits to what is wanted, with that at the end.
  /// - Returns: What leads on from there and back to the one who waits, if this would be a circle.
  func begin(_ waiting: any Node, for wanted: any Node, _ names: [String] = []) -> [String]? {
    waits.withLock { waits in
      if let rest = path(from: wanted, to: waiting, in: waits) { return names + rest }
      waits[ObjectIdentifier(waiting), default: []].append(Wait(wanted: wanted, names: names))
      return nil
    }
  }

  /// Removes an edge.
  func end(_ waiting: any Node, for wanted: any Node) {
    waits.withLock { waits in
      let key = ObjectIdentifier(waiting)
      guard let index = waits[key]?.firstIndex(where: { $0.wanted === wanted }) else { return }
      waits[key]?.remove(at: index)
      if waits[key]?.isEmpty == true { waits[key] = nil }
    }
  }

  /// The names on a way along the edges, depth first.
  private func path(
    from start: any Node, to goal: any Node, in waits: [ObjectIdentifier: [Wait]]
  ) -> [String]? {
    var seen: Set<ObjectIdentifier> = []
    var pending: [(node: any Node, names: [String])] = [(start, [])]
    while let (node, names) = pending.popLast() {
      if node === goal { return names }
      guard seen.insert(ObjectIdentifier(node)).inserted else { continue }
      for wait in waits[ObjectIdentifier(node)] ?? [] { pending.append((wait.wanted, names + wait.names)) }
    }
    return nil
  }
}
