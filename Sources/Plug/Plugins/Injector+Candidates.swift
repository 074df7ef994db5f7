// How candidates are registered.

extension Injector {
  /// Adds a candidate, or a point with all of its elements, to the registration of a service.
  ///
  /// - Parameters:
  ///   - element: The element to add.
  ///   - contextType: `nil` for a contribution, which applies in every context.
  ///   - point: Where the point was declared; `nil` for a candidate. A point replaces another point, but no candidate
  ///     outside of points.
  func add<Service, Context>(
    _ element: PluginElement<Service, Context>, for contextType: (any Any.Type)?, to key: Key,
    point: CodeLocation? = nil
  ) throws(InjectorError) {
    var elements: [Element] = []
    let name = typeName(key.type)
    try element.add(to: &elements) { (candidate) throws(InjectorError) in
      let registration = candidate.registration(key, depth: depth, at: installing(at: candidate.location))
      try check(registration, isContribution: point == nil)
      return decorated(Cell(registration))
    }
    try add(elements, for: contextType, to: key, name, point)
  }

  private func add(
    _ added: [Element], for contextType: (any Any.Type)?, to key: Key, _ name: String, _ point: CodeLocation?
  ) throws(InjectorError) {
    let entries = added.compactMap(\.entry)
    var replaced: Entry?
    while true {
      let present = try changeable(key)
      let (old, selector) = (present.cell, present.cell?.selector)
      if let point, let first = selector?.pointLocation, !allowRewrite { throw duplicate(of: key, at: first, point) }
      var cells: [String: Cell] = [:]
      for entry in entries {
        var namesake = cells.updateValue(entry.cell, forKey: entry.id)
        if entry.id == Fallback.id, let plain = old?.plain { namesake = plain }
        if let other = selector?.entry(entry.id), point == nil ? !allowRewrite : other.point == nil {
          namesake = other.cell
        }
        let (first, second) = (namesake?.registration.location, entry.cell.registration.location)
        if let first { throw duplicate(of: key, at: first, second, entry.id, isContribution: point == nil) }
      }
      if let contextType, let old, let selector, !selector.accepts(contextType) {
        throw contextMismatch(old.registration, expected: selector.contextType, found: contextType)
      }
      let context = contextType ?? selector?.contextType ?? Injector.self
      if point == nil, selector != nil {
        let add: (Selector) -> Void = { for entry in entries { replaced = $0.add(entry, for: context) } }
        if edit(present, adding: entries.first?.cell, add) { break }
      } else {
        let others = selector?.order.elements.filter { $0.entry?.point === nil && $0.entry != nil } ?? []
        let new = Selector(name: name, for: context, added + others, fallback: old?.plain, point: point)
        if replace(present, by: choiceCell(new, key), key) { break }
      }
    }
    if let replaced { giveUp(part: replaced.cell) }
  }

  private func choiceCell(_ selector: Selector, _ key: Key) -> Cell {
    let location =
      selector.fallback?.registration.location ?? selector.pointLocation ?? selector.cells.first?.registration.location
    return Cell(
      Registration(
        key, .factory, AnyRecipe.unused, isChoice: true, depth: depth,
        location: location ?? CodeLocation(fileID: #fileID, line: #line)), candidates: selector)
  }
}

extension PluginElement {
  /// Adds the candidate, or the point with all of its elements, to a list.
  ///
  /// - Parameters:
  ///   - outer: The enclosing point.
  ///   - cell: Makes the cell of a candidate.
  func add<Failure: Error>(
    to elements: inout [Element], in outer: Gate? = nil, _ cell: (AnyCandidate) throws(Failure) -> Cell
  ) throws(Failure) {
    switch self {
    case .candidate(let candidate):
      elements.append(Element(entry: Entry(candidate.parts, in: outer, try cell(candidate.parts))))
    case .point(let point):
      let gate = Gate(point.id, point.rule.expression, in: outer, addedTo: &elements)
      for element in point.elements { try element.add(to: &elements, in: gate, cell) }
    }
  }
}

extension InjectorError.Facts {
  /// Collects the facts about a candidate of a point when its service is unknown.
  package init(candidate: String, at point: String, in injector: Injector) {
    self.init(.named(candidate, .candidate), in: .inner(names: injector.names))
    values.point = point
  }
}
