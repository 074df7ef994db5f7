/// Why a registry did not change.
enum Refusal: Error {
  case registered(CodeLocation, candidate: String?)
  case otherContext(expected: String, found: String, CodeLocation)
  case missing
  case sealed(CodeLocation?)
}

/// How a new registration meets what is there already.
extension Entry {
  /// Registers without a rule. Gated candidates that are there already stay.
  static func registering(
    _ cell: Cell<Service>, over existing: Entry?, allowRewrite: Bool
  ) throws(Refusal) -> Entry {
    guard let existing else { return Entry(cell) }
    switch existing.content {
    case .sole(let old):
      guard allowRewrite else { throw .registered(old.subject.site, candidate: nil) }
      return Entry(cell)
    case .candidates(let selector):
      let old = selector.fallback?.subject.site ?? selector.pointSite
      if let old, !allowRewrite { throw .registered(old, candidate: nil) }
      return Entry(selector.replacingFallback(cell))
    }
  }

  /// Registers a whole point. Single candidates that are there already come after it.
  static func registering<Context>(
    _ point: PluginPoint<Service, Context>, tag: Injector.Tag?, over existing: Entry?, allowRewrite: Bool
  ) throws(Refusal) -> Entry {
    var elements: [PluginElement<Service, Context>] = [.point(point)]
    var cells: [String: Cell<Service>] = [:]
    if let existing {
      if let old = existing.plain?.subject.site, !allowRewrite { throw .registered(old, candidate: nil) }
      if case .candidates(let selector) = existing.content {
        if let old = selector.pointSite, !allowRewrite { throw .registered(old, candidate: nil) }
        let selector = try selector.typed(Context.self)
        elements += selector.singles
        cells = selector.cells.filter { id, _ in !point.candidateIDs.contains(id) }
      }
    }
    if let duplicate = elements.firstDuplicate() { throw .registered(duplicate.site, candidate: duplicate.id) }
    return Entry(
      Selector(
        name: typeName(Service.self), elements: elements, tag: tag, site: point.site, pointSite: point.site, reusing: cells))
  }

  /// Adds one candidate after those that are there already, but before the registration without a rule.
  static func adding<Context>(
    _ candidate: Candidate<Service, Context>, tag: Injector.Tag?, to existing: Entry?, allowRewrite: Bool
  ) throws(Refusal) -> Entry {
    guard let existing else {
      return Entry(
        Selector(name: typeName(Service.self), elements: [.candidate(candidate)], tag: tag, site: candidate.site))
    }
    switch existing.content {
    case .sole(let cell):
      return Entry(
        Selector(
          name: typeName(Service.self), elements: [.candidate(candidate)], fallback: cell, tag: tag,
          site: cell.subject.site))
    case .candidates(let selector):
      let selector = try selector.typed(Context.self)
      var elements = selector.elements
      if let old = elements.flatMap(\.candidates).first(where: { $0.id == candidate.id }) {
        guard allowRewrite else { throw .registered(old.site, candidate: old.id) }
        elements = elements.compactMap { $0.removing(candidate.id) }
      }
      var cells = selector.cells
      cells[candidate.id] = nil
      return Entry(selector.replacing(elements + [.candidate(candidate)], reusing: cells))
    }
  }

  /// Removes one candidate; `nil` if nothing is left.
  func removing(candidate id: String) throws(Refusal) -> Entry? {
    guard case .candidates(let selector) = content, let remaining = selector.removing(id) else { throw .missing }
    if !remaining.isEmpty { return Entry(remaining) }
    return remaining.fallback.map(Entry.init)
  }

  /// Removes the registration without a rule; `nil` if nothing is left.
  func removingPlain() -> Entry? {
    guard case .candidates(let selector) = content, !selector.isEmpty else { return nil }
    return Entry(selector.replacingFallback(nil))
  }
}
