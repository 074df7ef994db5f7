// How registrations change.

extension Injector {
  /// Registers a service without a rule.
  ///
  /// - Returns: The registration with its decorators.
  @discardableResult
  @usableFromInline
  func register(
    _ key: Key, _ definition: consuming Definition, _ fileID: String, _ line: Int
  ) throws(InjectorError) -> Registration {
    let location = CodeLocation(fileID: fileID, line: line)
    if let copy = redirectedForSetUp(at: location) { return try copy.register(key, definition, fileID, line) }
    let registration = Registration(key, definition, depth: depth, location: installing(at: location))
    try check(registration)
    var cell = Cell(registration)
    if insert(cell) { return registration }
    while true {
      let present = try changeable(key)
      cell = decorated(Cell(registration))
      let plain = present.cell?.plain
      if let plain, !allowRewrite { throw duplicate(of: key, at: plain.registration.location, location) }
      if let selector = present.cell?.selector {
        if let other = selector.entry(fallbackID) {
          throw duplicate(of: key, at: other.cell.registration.location, location, fallbackID)
        }
        if !edit(present, adding: cell, { $0.setFallback(cell) }) { continue }
        if let plain { giveUp(part: plain) }
        break
      }
      if replace(present, by: cell, key) { break }
    }
    return cell.registration
  }

  /// Registers a cell under a key that has none, in an injector without decorators or anything else that is rare.
  private func insert(_ cell: Cell) -> Bool {
    state.withLock { state in
      guard state.phase == .open, state.rare == nil, state.attachments.isEmpty, !isScope || state.kept.isEmpty,
        state.table.insert(cell, replacing: false)
      else {
        return false
      }
      state.keep(handedIn: CollectionOfOne(cell))
      if cell.registration.maker != nil { state.takesArguments = true }
      state.changes += 1
      shortWay.open(nil)
      return true
    }
  }

  /// Ends a registration whose owner has been released, if it is still there.
  func unregister(_ registration: Registration) {
    let key = registration.key
    while let present = try? changeable(key), let old = present.cell, let plain = old.plain,
      plain.registration.source === registration.source
    {
      if old.selector == nil, replace(present, by: nil, key) { break }
      if old.selector != nil, edit(present, { $0.setFallback(nil) }) {
        giveUp(part: plain)
        break
      }
    }
  }

  /// Removes a candidate.
  func unregister(candidate id: String, of key: Key) throws(InjectorError) {
    while true {
      let present = try changeable(key)
      guard let selector = present.cell?.selector, let entry = selector.entry(id) else {
        let others = present.cell.map { $0.selector?.order.entries.filter { !$0.isFallback }.map(\.suggestion) ?? [] }
        throw absence(of: key, candidate: id, among: others, .isRemoval)
      }
      if selector.isLast(id) {
        if replace(present, by: selector.fallback, key) { return }
      } else if edit(present, { _ = $0.remove(id) }) {
        return giveUp(part: entry.cell)
      }
    }
  }

  /// Removes the registration of a key.
  func remove(_ key: Key) throws(InjectorError) {
    while true {
      let present = try changeable(key)
      if present.cell == nil { throw absence(of: key, .isRemoval) }
      if replace(present, by: nil, key) { return }
    }
  }

  /// Registers a cell in place of the present one, if any; `nil` removes the registration. A test may do so even in its
  /// copy of a sealed injector.
  package func replace(_ key: Key, by new: @autoclosure () throws(InjectorError) -> Cell?) throws(InjectorError) {
    while true {
      let present = try changeable(key, ignoresSeal: isPrivate)
      // The cell is made last, with the decorators of that moment.
      let new = try new()
      if let old = present.cell, new == nil, state.withLock({ $0.sealed })?.cell(of: key) === old {
        throw .sealed(facts(about: key, at: old.registration.location))  // A sealed table can lose no cell.
      }
      if replace(present, by: new, key, ignoresSeal: isPrivate) { return }
    }
  }

  /// The registration of a key at one moment. A change takes effect only if it is still current.
  struct Present {
    let cell: Cell?
    let changes: Int
  }

  /// The registration of a key in this injector.
  ///
  /// - Throws: `sealed` or `closed` if the registration may not change.
  func changeable(_ key: Key, ignoresSeal: Bool = false) throws(InjectorError) -> Present {
    let (present, phase, original) = state.withLock {
      (Present(cell: $0.cell(of: key), changes: $0.changes), $0.phase, $0.source(of: key))
    }
    if original != nil, registeredCell(of: key) != nil { return try changeable(key, ignoresSeal: ignoresSeal) }
    switch phase {
    case .sealed where !ignoresSeal: throw .sealed(facts(about: key, at: present.cell?.registration.location))
    case .closed: throw closedError(for: key)
    case .open, .sealed: return present
    }
  }

  private func isStill(_ present: Present, _ key: Key, in state: borrowing State) -> Bool {
    state.cell(of: key) === present.cell && state.changes == present.changes
  }

  /// Changes the candidates of a cell in place.
  ///
  /// - Parameter new: The candidate that is added.
  /// - Returns: Whether the registration was still the present one, and could be changed.
  func edit(_ present: Present, adding new: Cell? = nil, _ change: (Selector) -> Void) -> Bool {
    guard let cell = present.cell, let selector = cell.selector else { return false }
    return state.withLock { state in
      guard state.phase == .open, isStill(present, cell.registration.key, in: state) else { return false }
      change(selector)
      if let new { state.keep(handedIn: [new]) }
      state.changes += 1
      return true
    }
  }

  /// Replaces the present cell with another one or with nothing, and closes the instances of replaced cells.
  ///
  /// - Returns: Whether the registration was still the present one, and could be replaced.
  func replace(_ present: Present, by new: Cell?, _ key: Key, ignoresSeal: Bool = false) -> Bool {
    let old = present.cell
    let (going, parts) = (old?.parts ?? [], new?.parts ?? [])
    let (staying, arriving) = Self.handedIn(from: going, to: parts)
    let isReplaced = state.withLock { state in
      guard state.phase == .open || ignoresSeal && state.phase == .sealed, isStill(present, key, in: state)
      else { return false }
      if let old, let new, let sealed = state.sealed, sealed.cell(of: key) === old {
        sealed.replace(by: new)
      } else if let new {
        state.table.insert(new)
        if new.registration.maker != nil { state.takesArguments = true }
      } else {
        state.table.remove(key)
        state.origin?.removed.insert(key)
      }
      state.changes += 1
      if state.phase == .open { shortWay.open(nil) }
      for (old, new) in staying { state.kept.replace(old, by: new) }
      state.keep(handedIn: arriving)
      return true
    }
    if !isReplaced { return false }
    if old == nil, !isScope { return true }
    let rest = Set((parts + staying.map(\.old)).map(ObjectIdentifier.init))
    giveUp(going.filter { !rest.contains(ObjectIdentifier($0)) }) { registration in
      registration.key == key && !parts.contains { $0.registration === registration }
    }
    return true
  }

  /// The new cells with given instances: cells that take the instance over from an old cell, and the other ones.
  private static func handedIn(
    from old: [Cell], to new: [Cell]
  ) -> (staying: [(old: Cell, new: Cell)], arriving: [Cell]) {
    var result: (staying: [(old: Cell, new: Cell)], arriving: [Cell]) = ([], [])
    guard new.contains(where: \.registration.isHandedIn) else { return result }
    let owners = Dictionary(
      old.compactMap { cell in cell.registration.instance.map { (ObjectIdentifier($0), cell) } }
    ) { first, _ in first }
    for cell in new {
      guard let instance = cell.registration.instance else { continue }
      guard let owner = owners[ObjectIdentifier(instance)] else {
        result.arriving.append(cell)
        continue
      }
      if owner !== cell { result.staying.append((owner, cell)) }
    }
    return result
  }

  /// Releases a candidate or a fallback that has been removed from a choice, and what this scope keeps of it.
  func giveUp(part: Cell) { giveUp([part]) { $0 === part.registration } }

  /// Closes the instances of cells that are no longer registered.
  ///
  /// - Parameter isMeant: Which own cells of this injector end, too.
  func giveUp(_ ended: [Cell], andOwn isMeant: (Registration) -> Bool) {
    func own() -> [Cell] { state.withLock { $0.kept.cells.filter { $0.isOwn && isMeant($0.registration) } } }
    for cell in ended { cell.endUse() }  // Before the search for own cells, of which none is added from now on.
    let cells = ended + own()
    if cells.isEmpty { return }
    if cells.count == 1, !cells[0].isOwn {
      close(Self.retire(cells))
      if isScope || cells[0].registration.isClosable { drop(cells[0]) }
    } else {
      close(Self.retire(state.withLock { $0.kept.takeInOrder(cells) }))
    }
  }

  func sealItself() throws(InjectorError) {
    let (table, isClosed) = state.withLock { state -> (SealedTable?, Bool) in
      guard state.phase == .open else { return (nil, state.phase == .closed) }
      let table = SealedTable(state.table.cells)
      if state.hooks > 0 { table.hide(true, .hooks) }
      (state.phase, state.sealed, state.table) = (.sealed, table, Table())
      return (table, false)
    }
    if isClosed { throw closedError() }
    guard let table else { return }
    Layers.enlist(table)
    // The short way of a scope would bypass the check for captive dependencies.
    if !isScope { shortWay.open(table) }
  }

  /// Refuses a registration that could not answer any request.
  ///
  /// - Parameter isContribution: Whether the registration is a candidate outside of points.
  @inline(never)
  package func check(
    _ registration: Registration, isLoadable: Bool = true, of point: (id: String, location: CodeLocation)? = nil,
    isContribution: Bool = false
  ) throws(InjectorError) {
    let (lifetime, recipe) = (registration.lifetime, registration.recipe)
    let isKept = lifetime == .lazySingleton || lifetime == .scoped
    if isKept, recipe.isPlain { return }
    var facts: InjectorError.Facts {
      var facts = self.facts(about: registration.key, at: point?.location, registration.candidate, isContribution)
      facts.values.point = point?.id
      return facts
    }
    let extras = recipe.extras
    let loading = isKept && isLoadable ? nil : extras?.values.actor.map { String(describing: type(of: $0)) }
    if let actor = recipe.isolation.unsupportedActor ?? loading { throw .actorUnsupported(facts, actor: actor) }
    guard let extras, !isKept, lifetime != .singleton else { return }
    var refusal: InjectorError.Facts.LifetimeRefusal?
    if lifetime == .weakSingleton, let type = extras.values.weakType, WeakInstance.isFutile(for: type) {
      refusal = .valueType(typeName(type))
    } else if extras.values.eager != nil || !extras.values.closings.isEmpty {
      refusal = .isNotKept
    }
    guard let refusal else { return }
    var refused = facts
    refused.values.refusal = refusal
    throw .lifetimeUnsupported(refused, lifetime: lifetime)
  }

  /// - Parameter location: The location of the refused registration.
  func duplicate(
    of key: Key, at first: CodeLocation?, _ location: CodeLocation?, _ id: String? = nil, isContribution: Bool = false
  ) -> InjectorError { .alreadyRegistered(facts(about: key, at: first, id, isContribution)).asked(at: location) }

  @inline(never)
  private func facts(
    about key: Key, at location: CodeLocation?, _ candidate: String? = nil, _ isContribution: Bool = false
  ) -> InjectorError.Facts {
    var facts = InjectorError.Facts(about: key, candidate: candidate, in: self)
    (facts.values.registeredAt, facts[.isContribution]) = (location, isContribution)
    return facts
  }
}
