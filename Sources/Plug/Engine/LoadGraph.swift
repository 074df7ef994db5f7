/// Which load waits for which, over all injectors and tasks.
///
/// Whoever makes an instance and waits for another is an edge, before it waits; one that would close a circle is refused.
enum LoadGraph {
  private struct Wait {
    let wanted: Loading
    /// What leads to it, with itself at the end.
    let names: [String]
  }

  private static let waits = Guarded<[ObjectIdentifier: [Wait]]>([:])

  /// Adds an edge.
  ///
  /// - Parameter names: What leads from the one who waits to what is wanted, with that at the end.
  /// - Returns: The circle, if this would be one.
  static func begin(
    _ waiting: (cell: AnyEntry, loading: Loading), for wanted: Loading, _ names: [String]
  ) -> [String]? {
    waits.withLock { waits in
      if let rest = path(from: wanted, to: waiting.loading, in: waits) {
        return [waiting.cell.subject.name] + names + rest
      }
      waits[ObjectIdentifier(waiting.loading), default: []].append(Wait(wanted: wanted, names: names))
      return nil
    }
  }

  /// Removes an edge.
  static func end(_ waiting: Loading, for wanted: Loading) {
    waits.withLock { waits in
      let key = ObjectIdentifier(waiting)
      guard let index = waits[key]?.firstIndex(where: { $0.wanted === wanted }) else { return }
      waits[key]?.remove(at: index)
      if waits[key]?.isEmpty == true { waits[key] = nil }
    }
  }

  /// The names on a way along the edges, depth first.
  private static func path(
    from start: Loading, to goal: Loading, in waits: [ObjectIdentifier: [Wait]]
  ) -> [String]? {
    var seen: Set<ObjectIdentifier> = []
    var pending: [(loading: Loading, names: [String])] = [(start, [])]
    while let (loading, names) = pending.popLast() {
      if loading === goal { return names }
      guard seen.insert(ObjectIdentifier(loading)).inserted else { continue }
      for wait in waits[ObjectIdentifier(loading)] ?? [] { pending.append((wait.wanted, names + wait.names)) }
    }
    return nil
  }
}
