extension PluginPoint {
  /// Adds a candidate at the end.
  ///
  /// ```swift
  /// var search = standardSearch
  /// try search.add(Candidate("voice") { VoiceSearch() })
  /// ```
  ///
  /// Candidates that are in the point already keep their instances.
  ///
  /// - Parameter candidate: The candidate. Its priority may still place it before others.
  /// - Throws: ``InjectorError/alreadyRegistered(_:)`` if a candidate of this point, or of a nested one, has its id.
  public mutating func add(_ candidate: Candidate<Service, Context>) throws(InjectorError) {
    try add(.candidate(candidate))
  }

  /// Adds a nested point at the end.
  ///
  /// - Parameter point: The point. Its candidates compete with those already here.
  /// - Throws: ``InjectorError/alreadyRegistered(_:)`` if a candidate in it has the id of one already here;
  ///   ``InjectorError/depthExceeded(_:depth:)`` if points are nested too deep.
  public mutating func add(_ point: PluginPoint) throws(InjectorError) {
    try add(.point(point))
  }

  /// Removes the candidates and nested points with an id, at any depth.
  ///
  /// Other candidates keep their instances.
  ///
  /// - Parameter id: The id of a candidate or a nested point.
  /// - Returns: Whether there was any.
  @discardableResult
  public mutating func remove(_ id: String) -> Bool {
    guard elements.contains(where: { $0.contains(id) }) else { return false }
    elements = elements.compactMap { $0.removing(id) }
    depth = Self.depth(of: elements)
    return true
  }

  private mutating func add(_ element: PluginElement<Service, Context>) throws(InjectorError) {
    var known = knownIDs ?? Set(candidateIDs)
    knownIDs = nil  // So that the set is changed in place.
    let added = element.candidates
    for (index, candidate) in added.enumerated() where !known.insert(candidate.id).inserted {
      let others = elements.flatMap(\.candidates) + added[..<index]
      let namesake = others.first { $0.id == candidate.id } ?? candidate
      throw .alreadyRegistered(facts(candidate: candidate.id, at: namesake.location))
    }
    if isTooDeep || element.depth >= Self.depthLimit { throw Self.depthExceeded(id, location) }
    elements.append(element)
    depth = max(depth, element.depth + 1)
    knownIDs = known
  }
}
