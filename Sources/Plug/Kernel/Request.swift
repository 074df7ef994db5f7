// The life of a request for a registered service.

extension Injector {
  /// Begins to make an instance that no injector keeps.
  func begin(_ registration: Registration, ownerDepth: Int32 = .max) throws -> ThreadStack {
    let thread = ThreadStack.current
    try thread.with { stack in
      if let outer = stack.frame(making: registration, for: self) {
        stack.putAside(until: outer)
        throw cycle(stack.path, to: registration)
      }
      try stack.enter(registration, for: self, ownerDepth: ownerDepth)
    }
    return thread
  }

  @usableFromInline
  func end(_ thread: ThreadStack) throws {
    try thread.with { stack in try stack.leave() }
  }

  @usableFromInline
  func fail(_ error: any Error, _ registration: Registration, _ thread: ThreadStack) -> any Error {
    thread.with { stack in
      let error = wrapping(error, registration, stack.path)
      stack.leave(failingWith: error)
      return error
    }
  }

  /// Finds the registration of a key, here or in a parent.
  // A loop, since recursion through deeply nested scopes could overflow a small stack.
  func find(_ key: Key) throws -> Cell? {
    var (found, outer) = (try find(key, for: self), parent)
    while found == nil, let level = outer { (found, outer) = (try level.find(key, for: self), level.parent) }
    return found
  }

  /// Finds the registration of this injector alone.
  func find(_ key: Key, for injector: Injector) throws -> Cell? {
    if !isScope, key.tag == nil, let cell = shortWay.slot(of: key.type)?.cell { return cell }
    let (cell, isClosed, original) = state.withLock { state in
      (state.cell(of: key), state.phase == .closed, state.origin?.injector)
    }
    if isClosed { return try Closing.cell(of: key, in: self, for: injector) }
    if cell != nil || original == nil { return cell }
    // What a copy lacks is gone when its original is closed.
    if original?.isClosedItself ?? false { throw injector.closed(key) }
    return registeredCell(of: key)
  }

  /// Gets an instance of a cell.
  ///
  /// - Returns: `nil` if the key has to be looked up again.
  func attempt(
    _ cell: Cell, _ isShadowed: Bool = false, with arguments: AnyBox? = nil
  ) throws -> AnyBox? {
    if cell.registration.depth == 0, let box = cell.published.box { return box }
    return try ThreadStack.current.with { stack in
      try instance(of: cell, isShadowed, with: arguments, stack)
    }
  }

  /// How often a request looks again before it fails, because each time a cell has been replaced meanwhile.
  static let attemptLimit = 1_000

  /// Gets an instance of a cell, or of the cells that replace it meanwhile.
  ///
  /// - Parameters:
  ///   - given: The context of a choice; by default the injector's own.
  ///   - isOptional: Whether it is no error that no candidate applies.
  ///   - isShadowed: Whether the cell is requested although this injector has registered the service itself.
  /// - Returns: `nil` if nothing is registered any more, or if no candidate applies to an optional request.
  func firstBox(
    of found: Cell, in given: ContextReference? = nil, isOptional: Bool = true, isShadowed: Bool = false
  ) throws -> AnyBox? {
    var (injector, cell) = (self, found)
    // Another thread, a rule or the factory itself may replace the cell before it has an instance, each time.
    for _ in 0..<Self.attemptLimit {
      if let candidates = cell.candidates {
        let service = cell.registration
        switch try candidates.choose(for: service, by: injector, in: given, isOptional: isOptional) {
        case .instance(let box): return box
        case .none: return nil
        case .lost: break
        }
      } else if let box = try injector.attempt(cell, isShadowed) {
        return box
      }
      injector = active
      guard let next = try injector.successor(of: cell, isShadowed) else { return nil }
      cell = next
    }
    throw failure(.replaced, cell.registration)
  }

  /// The cell that has replaced another one, which may also have been decorated or reset.
  ///
  /// - Parameter isShadowed: As in `firstBox`.
  func successor(of cell: Cell, _ isShadowed: Bool) throws -> Cell? {
    let registration = cell.registration
    if registration.candidate != nil { return try successor(ofPart: cell) }
    return try isShadowed
      ? level(at: registration.depth).find(registration.key, for: self) : find(registration.key)
  }

  /// The cell that has replaced a candidate, or the implementation without a rule, in the same choice. A decorator
  /// changes the registration, and keeps its source.
  func successor(ofPart cell: Cell) throws -> Cell? {
    let registration = cell.registration
    return try find(registration.key)?.parts.first { $0.registration.source === registration.source }
  }

  /// Gets an instance; `nil` if the key has to be looked up again. This is the one place where lifetimes differ.
  private func instance(
    of cell: Cell, _ isShadowed: Bool, with arguments: AnyBox?, _ stack: ResolutionStack
  ) throws -> AnyBox? {
    let registration = cell.registration
    if registration.depth > 0 { try refuseCapture(of: registration, in: level(at: registration.depth), stack) }
    if cell.candidates != nil { return try firstBox(of: cell, isOptional: false, isShadowed: isShadowed) }
    if let arguments, let maker = registration.maker {
      if maker.equality == nil { return try makeNew(registration, from: arguments, stack) }
      return try kept(cell, isShadowed, for: arguments, stack)
    }
    switch registration.lifetime {
    case .singleton, .lazySingleton, .weakSingleton:
      let owner = level(at: registration.depth)
      if registration.recipe.isLoaded { return try loaded(cell, in: owner, stack) }
      return try cell.instance(in: owner, stack)
    case .scoped: return try kept(cell, isShadowed, stack)
    case .graph:
      let shared = stack.own.session?.shared.first { $0.registration === registration && $0.injector == number }
      if let shared { return shared.box }
      return try makeNew(registration, stack, isShared: true)
    case .factory: return try makeNew(registration, stack)
    }
  }

  /// Gets an instance that its owner keeps in a cell of its own: a scoped one, or one for arguments.
  private func kept(
    _ cell: Cell, _ isShadowed: Bool, for arguments: AnyBox? = nil, _ stack: ResolutionStack
  ) throws -> AnyBox? {
    let registration = cell.registration
    let owner = try owner(of: registration, stack)
    let equality = arguments == nil ? nil : registration.maker?.equality
    let given = arguments.map { (box: $0, hash: equality?.hash($0) ?? 0) }
    let isLoaded = registration.recipe.isLoaded
    var compared: [Cell] = []
    // Another thread may add a cell for similar arguments while users' code compares them.
    for _ in 0..<Self.attemptLimit {
      let own: Cell
      // A load claims the cell itself, so the new cell of a loaded service stays unclaimed (0).
      switch owner.ownCell(
        of: registration, cell, for: isLoaded ? 0 : stack.work, isShadowed: isShadowed, given, compared)
      {
      case .new(let cell) where !isLoaded: return try cell.make(in: owner, stack)
      case .new(let cell), .existing(let cell): own = cell
      case .similar(let cells):
        compared = cells
        func isEqual(_ cell: Cell) -> Bool {
          guard let arguments, let kept = cell.arguments else { return false }
          return equality?.areEqual(arguments, kept.box) == true
        }
        guard let equal = cells.first(where: isEqual) else { continue }
        own = equal
      case .ended: return nil
      case .closed:  // A closing finds no instance that is kept for arguments.
        if arguments == nil, let box = Closing.running(for: owner)?.box(of: registration) { return box }
        throw closed(registration.key)
      }
      if let box = own.published.box { return box }
      return isLoaded ? try loaded(own, in: owner, stack) : try own.instance(in: owner, stack)
    }
    throw failure(.replaced, registration)
  }

  private func loaded(_ cell: Cell, in owner: Injector, _ stack: ResolutionStack) throws -> AnyBox? {
    let works = (stack.own.load ?? Work.current)?.ids ?? []
    switch cell.claim.withLock(\.stage) {
    case .published: return cell.published.box
    case .making(let making) where works.contains(making.maker),
      .retired(let making?) where works.contains(making.maker):
      if let box = making.box {
        stack.own.uses &+= 1
        return box
      }
      stack.putAside(inside: cell)  // A decorator of the loaded instance may be what leads here.
      throw cycle(stack.path, to: cell.registration)
    case .retired: return nil
    case .idle, .making:
      if let error = stack.own.round?.failure(of: cell) { throw error }
      let missing = Missing(cell: cell, owner: owner, way: stack.steps(from: 0))
      throw failure(.notLoaded(missing), cell.registration, stack.path)
    }
  }

  /// Makes an instance that no injector keeps.
  ///
  /// - Parameter arguments: The arguments, if there are any. With them a second frame of the registration is no cycle,
  ///   because a service may need itself with other arguments.
  func makeNew(
    _ registration: Registration, from arguments: AnyBox? = nil, _ stack: ResolutionStack, isShared: Bool = false
  ) throws -> AnyBox {
    if arguments == nil { _ = try begin(registration) } else { try stack.enter(registration, for: self) }
    let box: AnyBox
    do {
      let made = try stack.run(registration, from: arguments, in: self)
      box = made.box
      if isShared { stack.openSession().shared.append((registration, number, box)) }
      if registration.recipe.extras?.values.configurations.isEmpty == false {
        try stack.configure(
          Session.Made(
            registration: registration, cell: nil, box: box, inner: made.inner, injector: self, maker: 0))
      }
    } catch {
      stack.leave(failingWith: error)
      throw error
    }
    try stack.leave()
    return box
  }
}
