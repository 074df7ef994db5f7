// How registrations change.

extension Injector {
  @discardableResult
  @usableFromInline
  func register(
    _ key: Key, _ definition: consuming Definition, _ fileID: String, _ line: Int
  ) throws(InjectorError) -> Registration {
    let definition = definition
    let injector = redirectedForSetUp(at: CodeLocation(fileID: fileID, line: line)) ?? self
    let registration = Registration(
      key, definition.lifetime, definition.recipe, instance: definition.instance, depth: injector.depth,
      location: CodeLocation(fileID: fileID, line: line))
    return try injector.register(registration)
  }

  /// Registers a service without a rule.
  ///
  /// - Returns: The registration with its decorators.
  @discardableResult
  func register(_ registration: Registration) throws(InjectorError) -> Registration {
    let key = registration.key
    try check(Definition(lifetime: registration.lifetime, recipe: registration.recipe), for: key)
    var cell: Cell
    while true {
      let present = try changeable(key)
      cell = decorated(Cell(registration))
      if present.cell?.isFixed == true {
        keepHandedIn([cell])
        break
      }
      let plain = present.cell?.plain
      if let plain, !allowRewrite { throw alreadyRegistered(key, at: plain.registration.location) }
      if let selector = present.cell?.selector {
        if let place = selector.location(of: Fallback.id) {
          throw alreadyRegistered(key, at: place, candidate: Fallback.id)
        }
        if !edit(present, adding: cell, { $0.setFallback(cell) }) { continue }
        if let plain { giveUp([plain]) }
        break
      }
      if replace(present, by: cell, key) { break }
    }
    return cell.registration
  }

  /// Ends a registration whose owner has been released, if it is still there.
  func unregister(_ registration: Registration) {
    while let present = try? changeable(registration.key), let old = present.cell, let plain = old.plain,
      plain.registration.source === registration.source
    {
      if old.selector == nil, replace(present, by: nil, registration.key) { break }
      if old.selector != nil, edit(present, { $0.setFallback(nil) }) {
        giveUp([plain])
        break
      }
    }
    let isThere = (try? lookUp(registration.key))??.registration.source === registration.source
    if !isThere { remember(removed: registration, ownerWasReleased: true) }
  }

  /// Removes a candidate.
  func unregister(candidate id: String, of key: Key) throws(InjectorError) {
    var removed: Entry?
    while true {
      let present = try changeable(key)
      guard let selector = present.cell?.selector, removed != nil || selector.location(of: id) != nil else {
        break
      }
      if removed == nil, !edit(present, { removed = $0.remove(id) }) { continue }
      guard let rest = try? changeable(key), rest.cell === present.cell else { break }
      if selector.isEmpty {
        if replace(rest, by: selector.fallback, key) { break }
      } else {
        guard let free = selector.freed, !replace(rest, by: makeChoice(free, key), key) else { break }
      }
    }
    guard let removed else { throw absence(of: key, candidate: id, isRemoval: true) }
    giveUp([removed.cell])
  }

  /// What is registered here for a key.
  ///
  /// - Throws: If that may not change.
  package func changeable(_ key: Key, ignoresSeal: Bool = false) throws(InjectorError) -> Present {
    let (old, phase) = state.withLock { state in (state.present(key), state.phase) }
    switch phase {
    case .open: break
    case .sealed: if !ignoresSeal { throw sealed(key, old.cell?.registration) }
    case .closed: throw closed(InjectorError.Facts(about: key, in: self))
    }
    return old
  }

  /// What is registered for a key at a moment, which is changed only if it is still so.
  package struct Present: Equatable {
    package let cell: Cell?
    /// The version of the cell's candidates.
    fileprivate let version: Int?
    private let decorationCount: Int

    fileprivate init(_ cell: Cell?, _ decorationCount: Int) {
      (self.cell, self.decorationCount) = (cell, decorationCount)
      version = cell?.selector?.version
    }

    package static func == (first: Present, second: Present) -> Bool {
      first.cell === second.cell && first.version == second.version && first.decorationCount == second.decorationCount
    }
  }

  /// Changes the candidates of a cell in their place.
  ///
  /// - Parameter new: The candidate that is added.
  /// - Returns: Whether they were as before.
  func edit(_ present: Present, adding new: Cell? = nil, _ change: (Selector) -> Void) -> Bool {
    guard let cell = present.cell, let selector = cell.selector else { return false }
    return state.withLock { state in
      guard state.phase == .open, state.present(cell.registration.key) == present else { return false }
      change(selector)
      if let new { state.keep(handedIn: [new]) }
      noteChange()
      return true
    }
  }

  /// Puts a cell, or nothing, in the place of another, and closes what goes.
  ///
  /// - Returns: Whether the other one was still there, and could be replaced.
  package func replace(
    _ present: Present, by new: Cell?, _ key: Key, ignoresSeal: Bool = false, ifUnused: Bool = false
  ) -> Bool {
    let old = present.cell
    let going = ifUnused ? old?.parts ?? [] : []
    if !ignoresSeal, old?.isFixed == true { return true }
    let (staying, arriving) = handedIn(from: old, to: new)
    let isReplaced = state.withLock { state in
      guard state.phase == .open || ignoresSeal && state.phase == .sealed, state.present(key) == present else {
        return false
      }
      if ifUnused, !Cell.endUse(ofUnused: going) { return false }
      if let old, let new, let sealed = state.sealed, sealed.cell(of: key) === old {
        sealed.replace(old, by: new)
      } else if let new {
        state.table.insert(new)
      } else {
        state.table.remove(key)
      }
      noteChange()
      if state.phase == .open { shortWay.open(nil) }
      for (old, new) in staying { state.kept.replace(old, by: new) }
      state.keep(handedIn: arriving)
      return true
    }
    if !isReplaced { return false }
    if let old {
      let staying = Set((new?.parts ?? []).map(ObjectIdentifier.init) + staying.map { ObjectIdentifier($0.old) })
      giveUp(old.parts.filter { !staying.contains(ObjectIdentifier($0)) })
    }
    if old != nil || isScope { giveUpOwn(of: key, unless: new) }
    return true
  }

  /// The cells with instances that were handed in: those that have them from cells which go, and new ones.
  private func handedIn(from old: Cell?, to new: Cell?) -> (staying: [(old: Cell, new: Cell)], arriving: [Cell]) {
    guard let new, new.selector != nil || new.registration.isHandedIn else { return ([], []) }
    func identities(_ cells: [Cell]) -> Set<ObjectIdentifier> { Set(cells.map(ObjectIdentifier.init)) }
    let (before, after) = (old?.parts ?? [], new.parts)
    let (known, staying) = (identities(before), identities(after))
    let going = before.filter { !staying.contains(ObjectIdentifier($0)) }
    let owners = Dictionary(
      going.compactMap { cell in cell.registration.instance.map { (ObjectIdentifier($0), cell) } }
    ) { first, _ in first }
    var result: (staying: [(old: Cell, new: Cell)], arriving: [Cell]) = ([], [])
    for cell in after where !known.contains(ObjectIdentifier(cell)) {
      guard let instance = cell.registration.instance else { continue }
      if let owner = owners[ObjectIdentifier(instance)] {
        result.staying.append((owner, cell))
      } else {
        result.arriving.append(cell)
      }
    }
    return result
  }

  /// Puts a cell, or nothing, in the place of whatever is registered.
  package func replace(_ key: Key, by new: Cell?, ignoresSeal: Bool) throws(InjectorError) {
    while try !replace(changeable(key, ignoresSeal: ignoresSeal), by: new, key, ignoresSeal: ignoresSeal) {}
  }

  /// Removes what is registered for a key.
  func remove(_ key: Key) throws(InjectorError) {
    while true {
      let present = try changeable(key)
      guard let old = present.cell else { throw absence(of: key, isRemoval: true) }
      if replace(present, by: nil, key) { return remember(removed: old.registration, ownerWasReleased: false) }
    }
  }

  /// Closes the instances of cells that are no longer registered.
  func giveUp(_ cells: [Cell]) {
    if cells.isEmpty { return }
    let instances = Self.retire(cells)
    for cell in cells where isScope || cell.registration.isClosable { drop(cell) }
    for cell in cells where cell.registration.maker != nil { giveUpKept(of: cell.registration) }
    close(CloseQueue.closing(instances, of: self))
  }

  /// Closes what this injector has made for a key, except for the registrations that stay.
  func giveUpOwn(of key: Key, unless new: Cell?) {
    func stays(_ registration: Registration) -> Bool {
      new?.parts.contains { $0.registration === registration || $0.registration === registration.base } ?? false
    }
    let cells = state.withLock { state in
      state.own.remove { $0.registration.key == key && !stays($0.registration) }
    }
    giveUp(cells)
  }

  /// Closes what is kept for the arguments of a registration.
  private func giveUpKept(of base: Registration) {
    let cells = state.withLock { $0.own.remove { $0.registration.base === base } }
    attachment(KeptArguments.self)?.forget(base)
    giveUp(cells)
  }

  func sealItself() throws(InjectorError) {
    let (table, isClosed) = state.withLock { state -> (SealedTable?, Bool) in
      guard state.phase == .open else { return (nil, state.phase == .closed) }
      let table = SealedTable(state.table.cells)
      if state.hooks > 0 { table.hide(true, .hooks) }
      (state.phase, state.sealed, state.table) = (.sealed, table, Table())
      noteChange()
      return (table, false)
    }
    if isClosed { throw closed(InjectorError.Facts(aboutWhole: self)) }
    guard let table else { return }
    Layers.enlist(table)
    // The short way of a scope would lead past the check of who captures what.
    if !isScope { shortWay.open(table) }
  }

  /// Refuses what no request could be answered with.
  @inline(never)
  package func check(
    _ definition: Definition, for key: Key, candidate: String? = nil, isLoadable: Bool = true,
    of point: (id: String, location: CodeLocation)? = nil
  ) throws(InjectorError) {
    let (lifetime, recipe) = (definition.lifetime, definition.recipe)
    let isKept = lifetime == .lazySingleton || lifetime == .scoped
    if isKept, recipe.isPlain { return }
    var facts: InjectorError.Facts {
      var facts = InjectorError.Facts(about: key, candidate: candidate, in: self)
      (facts.values.point, facts.values.registeredAt) = (point?.id, point?.location)
      return facts
    }
    if let actor = recipe.isolation.unsupportedActor { throw .actorUnsupported(facts, actor: actor) }
    guard let values = recipe.extras?.values else { return }
    if !isKept || !isLoadable, let actor = values.actor {
      throw .actorUnsupported(facts, actor: String(describing: type(of: actor)))
    }
    if isKept { return }
    let reason: InjectorError.LifetimeRefusal
    if values.isEager, lifetime != .singleton {
      reason = .cannotBeEager
    } else if lifetime == .weakSingleton, let type = values.weakType, AnyWeakInstance.isFutile(for: type) {
      reason = .valueType(typeName(type))
    } else if lifetime != .singleton, !values.closings.isEmpty {
      reason = .cannotBeClosed
    } else {
      return
    }
    throw .lifetimeUnsupported(facts, lifetime: lifetime, reason: reason)
  }

  @inline(never)
  package func alreadyRegistered(_ key: Key, at location: CodeLocation?, candidate: String? = nil) -> InjectorError {
    var facts = InjectorError.Facts(about: key, candidate: candidate, in: self)
    facts.values.registeredAt = location
    return .alreadyRegistered(facts)
  }

  private func sealed(_ key: Key, _ registration: Registration?) -> InjectorError {
    var facts = InjectorError.Facts(about: key, in: self)
    facts.values.registeredAt = registration?.location
    return .sealed(facts)
  }
}

extension Injector.State {
  fileprivate func present(_ key: Key) -> Injector.Present { Injector.Present(cell(of: key), decorationCount) }
}
