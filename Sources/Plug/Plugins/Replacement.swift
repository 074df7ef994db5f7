/// How a new registration meets what is there already.
///
/// A service has at most one registration without a rule, at most one whole point, and any number of single candidates.
/// What these come to does not depend on the order in which they are registered, but for the order of the single ones.
enum Replacement {
  /// Registers without a rule.
  static func registering<Service: Sendable>(
    _ cell: Cell<Service>, over existing: Entry<Service>?, allowRewrite: Bool
  ) throws(Refusal) -> Entry<Service> {
    if let old = existing?.plain?.declaration.location, !allowRewrite { throw .registered(old, candidate: nil) }
    guard let selector = existing?.selector else { return cell }
    if let namesake = selector.location(of: Fallback.id) { throw .registered(namesake, candidate: Fallback.id) }
    return selector.replacingFallback(cell)
  }

  /// Registers a whole point, before all single candidates.
  ///
  /// - Parameter made: The cells of its candidates.
  static func registering<Service: Sendable, Context>(
    _ point: PluginPoint<Service, Context>, _ made: [Cell<Service>], over existing: Entry<Service>?,
    tag: Injector.Tag?, allowRewrite: Bool
  ) throws(Refusal) -> Entry<Service> {
    var elements: [PluginElement<Service, Context>] = [.point(point)]
    var cells: AnySelector<Service>.Cells = Dictionary(
      zip(point.candidateIDs, made.map { [$0] }), uniquingKeysWith: +)
    if let selector = existing?.selector {
      if let old = selector.pointLocation, !allowRewrite { throw .registered(old, candidate: nil) }
      let selector = try selector.typed(Context.self)
      elements += selector.singles
      cells.merge(selector.cells) { own, _ in own }
    }
    return try make(
      elements, fallback: existing?.plain, tag: tag, pointLocation: point.location, reusing: cells)
  }

  /// Adds one candidate with its cell, after those that are there already.
  static func adding<Service: Sendable, Context>(
    _ candidate: Candidate<Service, Context>, _ cell: Cell<Service>, to existing: Entry<Service>?,
    tag: Injector.Tag?, allowRewrite: Bool
  ) throws(Refusal) -> Entry<Service> {
    if let fallback = existing?.plain, candidate.id == Fallback.id {
      throw .registered(fallback.declaration.location, candidate: Fallback.id)
    }
    guard let selector = try existing?.selector?.typed(Context.self) else {
      return Selector(
        registered: [.candidate(candidate)], fallback: existing?.plain, tag: tag, pointLocation: nil,
        reusing: [candidate.id: [cell]])
    }
    guard let namesake = selector.location(of: candidate.id) else {
      return Selector(adding: candidate, cell, to: selector)
    }
    guard allowRewrite else { throw .registered(namesake, candidate: candidate.id) }
    let remaining = selector.elements.compactMap { $0.removing(candidate: candidate.id) }
    var cells = selector.cells
    cells[candidate.id] = [cell]
    return Selector(
      registered: remaining + [.candidate(candidate)], fallback: selector.fallback, tag: tag,
      pointLocation: selector.pointLocation, reusing: cells)
  }

  private static func make<Service: Sendable, Context>(
    _ elements: [PluginElement<Service, Context>], fallback: Cell<Service>?, tag: Injector.Tag?,
    pointLocation: CodeLocation?, reusing cells: AnySelector<Service>.Cells
  ) throws(Refusal) -> Entry<Service> {
    if let duplicate = elements.firstDuplicate() {
      throw .registered(duplicate.location, candidate: duplicate.id)
    }
    if let fallback, elements.flatMap(\.candidates).contains(where: { $0.id == Fallback.id }) {
      throw .registered(fallback.declaration.location, candidate: Fallback.id)
    }
    return Selector(registered: elements, fallback: fallback, tag: tag, pointLocation: pointLocation, reusing: cells)
  }
}

extension Entry {
  /// Removes one candidate; `nil` if nothing is left.
  func removing(candidate id: String) throws(Refusal) -> Entry? {
    guard let remaining = selector?.removing(id) else { throw .missing }
    return remaining.isEmpty ? remaining.fallback : remaining
  }

  /// Removes the registration without a rule; `nil` if nothing is left.
  func removingPlain() -> Entry? {
    selector?.replacingFallback(nil)
  }
}
