extension PluginPoint {
  /// Adds a candidate at the end.
  ///
  /// - Throws: ``InjectorError/alreadyRegistered(_:)`` if a candidate of this point, or of a nested one, has its id.
  public mutating func add(_ candidate: Candidate<Service, Context>) throws(InjectorError) {
    try add(.candidate(candidate))
  }

  /// Adds a nested point at the end.
  ///
  /// - Throws: ``InjectorError/alreadyRegistered(_:)`` if a candidate of this point, or of a nested one, has the id of a
  ///   candidate of the new one.
  public mutating func add(_ point: PluginPoint) throws(InjectorError) {
    try add(.point(point))
  }

  /// Removes the candidates and nested points with an id, at any depth.
  ///
  /// Other candidates keep their instances.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  public mutating func remove(_ id: String) -> Bool {
    guard elements.contains(where: { $0.contains(id) }) else { return false }
    elements = elements.compactMap { $0.removing(id) }
    return true
  }

  private mutating func add(_ element: PluginElement<Service, Context>) throws(InjectorError) {
    let all = elements + [element]
    if let duplicate = all.firstDuplicate() {
      var facts = selector.facts(in: .default, candidate: duplicate.id)
      facts.registeredAt = all.flatMap(\.candidates).first { $0.id == duplicate.id }?.site
      throw .alreadyRegistered(facts)
    }
    elements = all
  }
}

extension Array {
  /// The first candidate that has the id of one before it.
  func firstDuplicate<Service, Context>() -> Candidate<Service, Context>?
  where Element == PluginElement<Service, Context> {
    var seen: Set<String> = []
    return flatMap(\.candidates).first { !seen.insert($0.id).inserted }
  }
}
