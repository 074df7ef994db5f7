// How candidates are registered.

extension Injector {
  /// Adds a candidate, or a point with all of its elements, to the registration of a service.
  ///
  /// - Parameters:
  ///   - parts: The candidate, or the point and its elements.
  ///   - contextType: `nil` for a contribution, which applies in every context.
  ///   - point: Where the point was declared; `nil` for a candidate. A point replaces another point, but no candidate
  ///     outside of points.
  func add(
    _ parts: [PluginElement], for contextType: (any Any.Type)?, to key: Key, point: CodeLocation? = nil
  ) throws(InjectorError) {
    var (cells, added): ([Cell], [ChoiceElement]) = ([], [])
    for candidate in parts.candidates {
      let registration = candidate.registration(key, depth: depth, at: installing(at: candidate.location))
      try check(registration, isContribution: point == nil)
      cells.append(decorated(Cell(registration)))
    }
    parts.add(to: &added, cells)
    let entries = added.compactMap(\.entry)
    var replaced: Entry?
    while true {
      let present = try changeable(key)
      let (old, selector) = (present.cell, present.cell?.selector)
      if let point, let first = selector?.pointLocation, !allowRewrite { throw duplicate(of: key, at: first, point) }
      var cells: [String: Cell] = [:]
      for entry in entries {
        var namesake = cells.updateValue(entry.cell, forKey: entry.id)
        if entry.id == fallbackID, let plain = old?.plain { namesake = plain }
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
        let others =
          selector?.order.elements.filter { $0.entry.map { $0.point == nil && !$0.isFallback } ?? false } ?? []
        let new = Selector(name: typeName(key.type), for: context, added + others, fallback: old?.plain, point: point)
        let location = old?.plain?.registration.location ?? point ?? entries[0].cell.registration.location
        let choice = Registration(key, .factory, AnyRecipe.unused, isChoice: true, depth: depth, location: location)
        if replace(present, by: Cell(choice, candidates: new), key) { break }
      }
    }
    if let replaced { giveUp(part: replaced.cell) }
  }
}
