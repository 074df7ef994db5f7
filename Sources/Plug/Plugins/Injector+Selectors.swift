extension Injector {
  /// The cell of a candidate that is registered here.
  func makeCell(of candidate: AnyCandidate, _ key: Key) throws(InjectorError) -> Cell {
    try check(candidate.definition, for: key, candidate: candidate.id)
    return decorated(Cell(candidate.registration(key, depth: depth)))
  }

  /// What was handed in is closed with this injector, also if an override has kept it out.
  func keepHandedIn(_ cells: [Cell]) {
    let isClosed = state.withLock { state in
      if state.phase == .closed { return true }
      state.keep(handedIn: cells)
      return false
    }
    if isClosed { close(CloseQueue.closing(Self.retire(cells.filter(\.registration.isHandedIn)), of: self)) }
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

  /// Registers candidates that are declared together.
  func register(
    point elements: [Element], for context: any Any.Type, _ key: Key, at location: CodeLocation
  ) throws(InjectorError) {
    while true {
      let present = try changeable(key)
      if present.cell?.isFixed == true { return keepHandedIn(elements.compactMap { $0.entry?.cell }) }
      let new = try merged(elements, for: context, with: present.cell, key, at: location)
      if replace(present, by: makeChoice(new, key), key) { return }
    }
  }

  /// Adds a registered point to what is registered already.
  private func merged(
    _ elements: [Element], for context: any Any.Type, with old: Cell?, _ key: Key, at location: CodeLocation
  ) throws(InjectorError) -> Selector {
    if let place = old?.selector?.pointLocation, !allowRewrite { throw alreadyRegistered(key, at: place) }
    var elements = elements
    if let old, let selector = old.selector {
      guard let typed = selector.rebased(to: context) else {
        throw contextMismatch(old.registration, expected: selector.contextType, found: context)
      }
      elements += typed.elements.filter { $0.entry?.point === nil && $0.entry != nil }
    }
    var seen: Set<String> = []
    for case .candidate(let entry) in elements where !seen.insert(entry.id).inserted {
      throw alreadyRegistered(key, at: entry.cell.registration.location, candidate: entry.id)
    }
    if let plain = old?.plain, seen.contains(Fallback.id) {
      throw alreadyRegistered(key, at: plain.registration.location, candidate: Fallback.id)
    }
    return Selector(
      name: typeName(key.type), for: context, elements, fallback: old?.plain.map { Entry(.fallback, $0) },
      point: location)
  }

  /// Adds a candidate to what is registered already.
  ///
  /// - Parameter contextType: `nil` for a contribution, which applies in every context.
  func add(
    _ candidate: AnyCandidate, for contextType: (any Any.Type)?, to key: Key
  ) throws(InjectorError) {
    let (id, entry) = (candidate.id, Entry(candidate, try makeCell(of: candidate, key)))
    while true {
      let present = try changeable(key)
      let old = present.cell
      if old?.isFixed == true { return keepHandedIn([entry.cell]) }
      if id == Fallback.id, let plain = old?.plain {
        throw alreadyRegistered(key, at: plain.registration.location, candidate: id)
      }
      if let place = old?.selector?.location(of: id), !allowRewrite {
        throw alreadyRegistered(key, at: place, candidate: id)
      }
      let context = contextType ?? old?.selector?.contextType ?? Injector.self
      var selector = Selector(
        name: typeName(key.type), for: context, [], fallback: old.map { Entry(.fallback, $0) })
      if let old, let found = old.selector {
        guard let typed = found.rebased(to: context) else {
          throw contextMismatch(old.registration, expected: found.contextType, found: context)
        }
        selector = typed
      }
      var replaced: Entry?
      let add = { (selector: Selector) in
        replaced = selector.remove(id)
        selector.add(entry)
      }
      if selector === old?.selector {
        if !edit(present, adding: entry.cell, add) { continue }
        if let replaced { giveUp([replaced.cell]) }
        return
      }
      add(selector)
      if replace(present, by: makeChoice(selector, key), key) { return }
    }
  }
}

extension Injector {
  /// Explains what is chosen, in a context; if none is given, in the one that this injector has.
  func explanation(of key: Key, in given: ContextReference?) throws(InjectorError) -> Explanation {
    guard let cell = try find(key) else { throw absence(of: key) }
    return try explanation(of: cell, in: given)
  }

  package func explain<Context: Sendable>(_ cell: Cell, in context: Context) throws(InjectorError) -> Explanation {
    try ContextReference.with(context) { (context) throws(InjectorError) in try explanation(of: cell, in: context) }
  }

  private func explanation(of cell: Cell, in given: ContextReference?) throws(InjectorError) -> Explanation {
    let registration = cell.registration
    if let selector = cell.selector {
      // Rules would be evaluated in themselves.
      if let path = Level.current.with({ $0.isMaking(registration, for: self) ? $0.path : nil }) {
        throw circle(path, to: registration)
      }
      return try selector.withContext(given, of: self, registration) { context in
        selector.explanation(in: context, for: self, registration)
      }
    }
    let element = Explanation.Element(
      id: Fallback.id, isPoint: false, verdict: .selected, rank: 1, priority: 0, rule: nil,
      details: registration.location.module.map { ["module": .string($0)] } ?? [:], elements: [])
    return Explanation(
      subject: typeName(registration.key.type), context: given.map { typeName($0.type) } ?? "any context",
      elements: [element],
      decorators: registration.decorators)
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
