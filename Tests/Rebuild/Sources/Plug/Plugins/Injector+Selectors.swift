extension Injector {
  func required(_ key: Key) throws(InjectorError) -> Cell {
    guard let cell = try find(key) else { throw absence(of: key) }
    return cell
  }

  func makeCell<Service, Context>(
    of candidate: Candidate<Service, Context>, _ key: Key
  ) throws(InjectorError) -> Cell {
    let definition = candidate.injection.definition
    try check(definition, for: key, candidate: candidate.id)
    let registration = Registration(
      key, definition.lifetime, definition.recipe, instance: definition.instance, candidate: candidate.id,
      depth: depth, location: candidate.location)
    return decorated(Cell(registration))
  }

  /// What was handed in is closed with this injector.
  func keepHandedIn(_ cells: [Cell]) {
    state.withLock { state in
      for cell in cells where cell.registration.hasInstance && cell.registration.isClosable { state.kept.append(cell) }
    }
  }

  /// A choice cell of this injector.
  func makeChoice(_ selector: Selector, _ key: Key) -> Cell {
    let location =
      selector.fallback?.registration.location ?? selector.pointLocation ?? selector.cells.first?.registration.location
    return Cell(
      Registration(
        key, .factory, AnyRecipe.unused, isChoice: true, depth: depth,
        location: location ?? CodeLocation(fileID: #fileID, line: #line)), selector: selector)
  }

  /// Adds a registered point to what is registered already.
  func merge(_ new: Selector, _ old: Cell?, _ key: Key) throws(InjectorError) -> Cell {
    guard let old else { return makeChoice(new, key) }
    guard let selector = old.selector else {
      new.setFallback(old)
      try refuseDuplicates(in: new, key)
      return makeChoice(new, key)
    }
    if selector.pointLocation != nil, !allowRewrite { throw alreadyRegistered(key, at: selector.pointLocation) }
    guard let typed = selector.rebased(to: new.contextType) else {
      throw contextMismatch(old.registration, expected: selector.contextType, found: new.contextType)
    }
    for element in typed.elements where element.isCandidate { new.add(element) }
    new.setFallback(typed.fallback)
    try refuseDuplicates(in: new, key)
    return makeChoice(new, key)
  }

  private func refuseDuplicates(in selector: Selector, _ key: Key) throws(InjectorError) {
    var seen: Set<String> = []
    for entry in selector.elements.flatMap(\.entries) where !seen.insert(entry.id).inserted {
      throw alreadyRegistered(key, at: entry.cell.registration.location, candidate: entry.id)
    }
    if let fallback = selector.fallback, seen.contains(Fallback.id) {
      throw alreadyRegistered(key, at: fallback.registration.location, candidate: Fallback.id)
    }
  }

  /// Adds a candidate to what is registered already.
  ///
  /// - Parameter contextType: `nil` for a contribution, which applies in every context.
  func add(_ entry: Entry, for contextType: (any Any.Type)?, to key: Key) throws(InjectorError) {
    let (id, cell) = (entry.id, entry.cell)
    var replaced: Cell?
    _ = try self.change(key) { (old) throws(InjectorError) in
      if let old, let place = old.selector?.location(of: id) {
        guard allowRewrite else { throw alreadyRegistered(key, at: place, candidate: id) }
        replaced = old.selector?.remove(id)
      } else if let old, id == Fallback.id, let plain = old.selector.map({ $0.fallback }) ?? old {
        throw alreadyRegistered(key, at: plain.registration.location, candidate: id)
      }
      guard let old, let selector = old.selector else {
        return makeChoice(
          Selector(
            name: typeName(key.type), for: contextType ?? Injector.self, [.candidate(entry)],
            fallback: old.map { Entry(fallback: $0) }), key)
      }
      guard let typed = selector.rebased(to: contextType ?? selector.contextType) else {
        throw contextMismatch(
          old.registration, expected: selector.contextType, found: contextType ?? Injector.self)
      }
      typed.add(entry)
      return typed === selector ? old : makeChoice(typed, key)
    }
    if let replaced { giveUp([replaced]) }
    keepHandedIn([cell])
  }
}

extension Cell {
  /// The explanation of a service that is not chosen.
  func soleExplanation(context: (any Any.Type)?) -> Explanation {
    let element = Explanation.Element(
      id: Fallback.id, isPoint: false, verdict: .selected, rank: 1, priority: 0, rule: nil,
      details: Explanation.Details(module: registration.location.module), elements: [])
    return Explanation(
      subject: typeName(registration.key.type), context: context.map(typeName) ?? "any context", elements: [element],
      decorators: registration.recipe.extras?.values.wraps.map(\.id) ?? [])
  }
}

extension Injector {
  /// Explains a choice that was made before, as it would be made now; `nil` if nothing is chosen any more.
  package func explanation(of key: Key, in context: any Sendable) -> Explanation? {
    guard let cell = (try? find(key)) ?? nil, let selector = cell.selector else { return nil }
    func explanation<Context>(_ context: Context) -> Explanation {
      ContextReference.with(context) { selector.explanation(in: $0, for: self, cell.registration) }
    }
    return explanation(context)
  }
}
