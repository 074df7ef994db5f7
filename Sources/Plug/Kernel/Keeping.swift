import Synchronization

// The instances that an injector keeps, and their release.

extension Injector {
  /// What an injector has for an instance that it keeps in a cell of its own.
  enum OwnCell {
    case existing(Cell)
    /// The caller has claimed it, unless it gave 0 for the work.
    case new(Cell)
    /// The cells for arguments with the same hash. The caller has to compare them, because that runs users' code.
    case similar([Cell])
    /// The registration has ended, or this injector has registered the service itself since. Look it up again.
    case ended
    case closed
  }

  /// Finds this injector's cell for a registration, or claims a new one for `work`.
  ///
  /// - Parameters:
  ///   - template: The cell of the registration.
  ///   - arguments: The arguments that the instance is made from, and their hash.
  ///   - compared: The similar cells, all of which are for other arguments.
  ///   - isShadowed: Whether it is requested although this injector has registered the service itself.
  @inline(__always) func ownCell(
    of registration: Registration, _ template: Cell, for work: UInt, isShadowed: Bool,
    _ arguments: (box: AnyBox, hash: Int)?, _ compared: [Cell]
  ) -> OwnCell {
    state.withLock { state -> OwnCell in
      if state.phase == .closed { return .closed }
      // This scope has registered the service since the inherited cell was found. It may wrap the inherited instance.
      let mayBeShadowed = isShadowed || registration.depth >= depth || registration.candidate != nil
      if !mayBeShadowed, state.cell(of: registration.key) != nil { return .ended }
      if let arguments {
        let similar = state.kept.cells(of: registration, arguments.hash)
        if !similar.elementsEqual(compared, by: ===) { return .similar(similar) }
      } else if let cell = state.kept.cell(of: registration) {
        return .existing(cell)
      }
      if !template.beginUse() { return .ended }
      let kept = arguments.map { CellArguments($0.box, hash: $0.hash) }
      let cell = Cell(registration, arguments: kept, maker: work)
      state.kept.append(cell)
      return .new(cell)
    }
  }

  /// The instance that this scope keeps of a registration, if it exists.
  package func keptBox(of registration: Registration) -> AnyBox? {
    state.withLock { $0.kept.cell(of: registration) }?.box
  }

  /// Adds the instance of a cell to the order of closing.
  ///
  /// - Returns: Whether the injector still keeps instances.
  func keep(_ cell: Cell) -> Bool {
    let registration = cell.registration
    if registration.isHandedIn { return !isClosedItself }
    guard isScope && registration.lifetime != .weakSingleton || registration.isClosable else { return !isClosedItself }
    return state.withLock { state in
      if state.phase == .closed { return false }
      state.kept.keep(cell)
      return true
    }
  }

  /// Removes a cell from the order of closing, unless its instance was handed in. An own cell stays for the next
  /// attempt.
  func forget(_ cell: Cell) {
    if !cell.registration.isHandedIn, !cell.isOwn { drop(cell) }
  }

  func drop(_ cell: Cell) {
    let removed = state.withLock { $0.kept.remove(cell, isRetired: \.isRetired) }
    withExtendedLifetime(removed) {}  // Released outside of the lock, since a `deinit` may run then.
  }

  /// Puts the instance of a cell, if it exists, where requests look first.
  func remember(_ cell: Cell) {
    if isScope { return }
    state.withLock { $0.sealed }?.remember(cell)
  }

  package var isClosedItself: Bool { state.withLock { $0.phase == .closed } }
  var isSealedItself: Bool { state.withLock { $0.phase == .sealed } }

  /// Whether the injector has been closed while instances are still being closed.
  package var isStillClosing: Bool { state.withLock { $0.closing }?.cell.isBeingMade ?? false }

  /// The registrations that are being loaded.
  package var loads: [Registration] { state.withLock { $0.loads }.map(\.registration) }

  func beginLoading(_ cell: Cell) -> Bool {
    state.withLock { state in
      if state.phase == .closed { return false }
      state.rare.orMade.loads.append(cell)
      return true
    }
  }

  func endLoading(_ cell: Cell) {
    state.withLock { state in
      if let index = state.loads.firstIndex(where: { $0 === cell }) { state.rare.orMade.loads.remove(at: index) }
    }
  }

  /// Closes an instance whose construction ends without a place for it, in a task if that takes time.
  ///
  /// A closing of the injector that waits for the construction takes the instance over before it is told, and closes it
  /// before its dependencies. Otherwise the waiters are told first: the action that closes it may wait for them.
  func close(_ box: AnyBox, of registration: Registration, telling tell: () -> Void = {}) {
    guard registration.isClosable, !registration.isHandedIn else { return tell() }
    let isTaken = state.withLock { $0.closing }?.take((Cell(registration), box)) ?? false
    tell()
    if !isTaken { close([(Cell(registration), box)]) }
  }

  /// Closes instances, in a task if that takes time. The closing of the injector waits for that task.
  func close(_ instances: consuming [Closing.Closable]) {
    if instances.isEmpty { return }
    let closing = Closing(consume instances, of: self, closingObservers)
    _ = closing.runNow()
    if closing.next == nil { return }
    state.withLock { $0.rare.orMade.leaving.append(closing) }
    Work.apart {
      let work = Work(closing.id, trail: [], ownerDepth: .max)
      Task { [self] in
        let failures = await work.run { await closing.run(Deadline(), nil) }
        state.withLock { state in state.rare.orMade.leaving.removeAll { $0 === closing } }
        closing.end(failures)
        work.end()
      }
    }
  }

  /// Retires cells, which make no more instances.
  ///
  /// - Returns: The instances in the order of their cells, or none if none has to be closed.
  static func retire(_ cells: [Cell], inOrder: Bool = false) -> [Closing.Closable] {
    var instances: [Closing.Closable] = []
    let isQueued = inOrder || Layers.areHooked || cells.contains { $0.registration.isClosable || $0.candidates != nil }
    if isQueued { instances.reserveCapacity(cells.count) }
    for cell in cells {
      cell.endUse()
      if let candidates = cell.candidates {
        instances += retire(candidates.cells)
        continue
      }
      let given = cell.registration.instance
      let (isClosing, task, inner) = cell.claim.withLock { claim in
        (claim.retire(isHandedIn: given != nil), claim.rare?.task, claim.rare?.inner)
      }
      task?.cancel()
      if isQueued, isClosing, let box = given ?? inner ?? cell.published.box {
        instances.append((cell, box))
      }
    }
    return instances
  }

  /// Releases the instances of the given registrations, the last made first. Later requests make new ones.
  func renew(where isMeant: (Registration) -> Bool) {
    // Nothing else refers to the instances while they are closed and released one after another.
    close(takeInstances(where: isMeant))
  }

  /// Releases the instances of the given registrations, and waits until they are closed.
  package func renew(where isMeant: (Registration) -> Bool) async {
    _ = await Closing(takeInstances(where: isMeant), of: self, closingObservers).run(Deadline(), nil)
  }

  private func takeInstances(where isMeant: (Registration) -> Bool) -> [Closing.Closable] {
    func isRenewed(_ cell: Cell) -> Bool {
      if let candidates = cell.candidates { return candidates.cells.contains(where: isRenewed) }
      let registration = cell.registration
      let isKept = registration.isKept && !registration.isHandedIn && isMeant(registration)
      return isKept && cell.claim.withLock { $0.attempt > 0 }
    }
    let (made, rest, replaced) = state.withLock { state -> ([Cell], [Cell], [Cell]) in
      let replaced = state.cells.filter(isRenewed)
      var old: [Cell] = []
      for cell in replaced {
        // A given instance keeps its decorators and its configuration, also as one candidate among others.
        let new = cell.mapping { $0.registration.isHandedIn ? $0 : $0.renewed }
        old += cell.parts.filter { !$0.registration.isHandedIn }
        if state.table[cell.registration.key] === cell {
          state.table.insert(new)
        } else {
          state.sealed?.replace(by: new)
        }
      }
      let gone = Set(old.map(ObjectIdentifier.init))
      // The remaining cells never leave the list, since the injector may be closed at any moment.
      let taken = state.kept.take { $0.isOwn ? isRenewed($0) : gone.contains(ObjectIdentifier($0)) }
      // One that is still being made is closed with `rest`, since another thread may make it the last one.
      let made = taken.filter { !$0.isBeingMade }
      return (made, (made.count == taken.count ? [] : taken) + old, replaced)
    }
    withExtendedLifetime(replaced) {}  // Released outside of the lock.
    let instances = Self.retire(made, inOrder: true)
    // Instances that another thread has made since then come last in that order. Cells retired before give nothing
    // here, and injectors other than scopes close only an instance with an action.
    let late = Self.retire(rest, inOrder: true).filter { isScope || $0.cell.registration.isClosable }
    // Its thread has put such an instance back into the list.
    if !late.isEmpty { for cell in rest where !cell.isOwn { drop(cell) } }
    return instances + late
  }
}
