import Synchronization

/// The place of one instance: there is one cell for each registration and each injector that keeps an instance of it.
///
/// A cell holds at most one instance at a time. After a reset, a new instance has a new cell.
@usableFromInline
package final class Cell: Sendable {
  @usableFromInline package let registration: Registration
  @usableFromInline let published = Published()
  let claim: Guarded<Claim>
  /// Bits that say whether another cell has been made for the registration, and whether this one is unregistered.
  let use = Atomic<UInt8>(0)

  /// The candidates; `nil` if the registration is one implementation.
  let candidates: (any Candidates)?
  /// The arguments that the instance is kept for, if it is made from arguments.
  let arguments: CellArguments?

  /// - Parameter maker: The work that claims the cell immediately; 0 for none.
  init(
    _ registration: Registration, candidates: (any Candidates)? = nil, arguments: CellArguments? = nil, maker: UInt = 0
  ) {
    self.registration = registration
    self.candidates = candidates
    self.arguments = arguments
    claim = Guarded(Claim(maker: maker, hasInstance: registration.hasInstance))
    if registration.hasInstance, let instance = registration.instance { published.publish(instance) }
  }

  package convenience init(_ registration: Registration) { self.init(registration, candidates: nil) }

  /// A new cell without an instance for the same registration. It remembers whether scopes have cells for that.
  var renewed: Cell {
    mapping { old in
      let new = Cell(old.registration)
      if old.use.load(ordering: .acquiring) & Self.used != 0 { _ = new.beginUse() }
      return new
    }
  }

  /// Returns the changed cell, or a choice among the changed candidates.
  ///
  /// - Parameter choice: The registration of the choice among candidates; by default this cell's registration.
  @inline(never)
  func mapping(as choice: Registration? = nil, _ change: (Cell) -> Cell) -> Cell {
    guard let candidates else { return change(self) }
    return Cell(choice ?? registration, candidates: candidates.mapping(change))
  }

  /// Whether the cell makes no more instances.
  var isRetired: Bool { claim.withLock { $0.isRetired } }

  /// Whether the instance is being made, or waits for its configuration.
  var isBeingMade: Bool { claim.withLock { $0.maker != nil } }

  /// The candidates, or the cell itself.
  package var parts: [Cell] { candidates?.cells ?? [self] }

  /// The cell that is registered without a rule.
  var plain: Cell? { candidates == nil ? self : candidates?.fallback }

  /// The instance, if requests find it. They find a weakly held instance, which is not published, while it is alive.
  package var box: AnyBox? { published.box ?? claim.withLock { $0.rare?.weak }?.box }
}

extension Cell {
  private static let used: UInt8 = 1
  static let gone: UInt8 = 2

  /// Notes that another cell is made for the registration.
  ///
  /// - Returns: Whether this cell is still registered.
  @inline(__always) func beginUse() -> Bool {
    use.load(ordering: .acquiring) == Self.used
      || use.bitwiseOr(Self.used, ordering: .acquiringAndReleasing).oldValue & Self.gone == 0
  }

  func endUse() { use.bitwiseOr(Self.gone, ordering: .acquiringAndReleasing) }

  /// The next step of a request for the instance.
  enum Turn {
    case make
    case take(AnyBox)
    case wait
    /// Look the key up again: the cell has been replaced.
    case gone
  }

  /// Claims the cell for `work`, unless the instance exists or is being made.
  ///
  /// Work that asks for an instance that it makes itself takes it once the factory has returned. Before that it has to
  /// wait like any other, and the wait graph reports the cycle.
  func turn(for work: UInt) -> Turn {
    var (weak, held): (WeakInstance?, AnyObject?)
    let turn = claim.withLock { claim -> Turn? in
      switch claim.stage {
      case .making(let making), .retired(let making?):
        if let box = making.box, making.maker == work { return .take(box) }
        return .wait
      case .idle:
        (weak, held) = (claim.rare?.weak, claim.rare?.weak?.object)
        if held != nil { return nil }
        claim.begin(by: work)
        return .make
      case .published: return published.box.map { .take($0) } ?? .gone  // It is there: one lock sets both.
      case .retired(nil): return .gone
      }
    }
    // A cast takes too long for the lock.
    return turn ?? withExtendedLifetime(held) { weak?.box }.map { .take($0) } ?? .gone
  }

  /// Ends an attempt without an instance, unless it has ended already.
  ///
  /// - Parameter owner: The injector that then no longer keeps the arguments of the attempt.
  func fail(_ outcome: Outcome, by maker: UInt, in owner: Injector? = nil) {
    if arguments != nil { owner?.drop(self) }
    let end = claim.withLock { $0.fail(by: maker, isLast: arguments != nil) }
    for waiter in end.waiters { waiter.wake(outcome) }
    withExtendedLifetime(end) {}
  }

  /// Ends an attempt: publishes its instance, or closes the instance if the cell has been retired.
  ///
  /// - Returns: Whether requests find the instance.
  @discardableResult
  func publish(_ box: AnyBox, in owner: Injector) -> Bool {
    let isWeak = registration.lifetime == .weakSingleton
    let weak = isWeak ? try? registration.recipe.extras?.values.weaken?(box) : nil
    let end = claim.withLock { $0.finish(box, in: published, isWeak: isWeak, weak) }
    defer { withExtendedLifetime(end) {} }
    if end.isRetired {
      owner.forget(self)
      owner.close(end.inner ?? box, of: registration) { for waiter in end.waiters { waiter.wake(.look) } }
    } else {
      owner.remember(self)
      for waiter in end.waiters { waiter.wake(.look) }
    }
    return !end.isRetired
  }

  /// Gets the instance that `owner` keeps.
  ///
  /// - Returns: `nil` if another cell has replaced this one.
  func instance(in owner: Injector, _ stack: ResolutionStack) throws -> AnyBox? {
    // The thread that it waits for may fail, and another one may claim the cell before this one looks again.
    while true {
      switch turn(for: stack.work) {
      case .take(let box):
        if registration.lifetime != .weakSingleton, published.box == nil { stack.own.uses &+= 1 }
        return box
      case .make: return try make(in: owner, stack)
      case .gone: return nil
      case .wait:
        if let box = try wait(Asker(stack), owner) {
          stack.own.uses &+= 1
          stack.openSession().borrowed.append(Session.Borrowed(cell: self, box: box, injector: owner))
          return box
        }
      }
    }
  }

  /// Makes the instance. The caller has claimed the cell.
  ///
  /// - Returns: `nil` if the instance has been closed, because the cell has been replaced meanwhile.
  func make(in owner: Injector, _ stack: ResolutionStack) throws -> AnyBox? {
    do {
      try stack.enter(registration, for: owner, ownerDepth: owner.depth, cell: self)
    } catch {
      fail(.look, by: stack.work, in: owner)
      throw error
    }
    let (made, isPublished): (Wrapped, Bool)
    do {
      made = try owner.keeping(registration) {
        try stack.run(registration, from: arguments?.box, in: owner)
      }
      isPublished = try accept(made, in: owner, by: stack.work, stack)
    } catch {
      stack.leave(failingWith: error)
      // Does nothing if leaving has released the accepted instance, which ends the attempt.
      fail(error.outcomeForOthers, by: stack.work, in: owner)
      throw error
    }
    try stack.leave()  // If this throws, the session has ended the attempt, or the instance is published and stays.
    // The instance of a retired cell is closed, or will be, if it has an action for that. Any other is usable.
    return registration.isClosable && !isPublished && isRetired ? nil : made.box
  }

  /// Adds an instance to the order of closing, configures it, and publishes it unless a dependency of it is unfinished.
  ///
  /// - Parameter maker: The work that has claimed the cell.
  /// - Returns: Whether it was published here. A configuration that has run to its end may have published it, too.
  @discardableResult
  func accept(
    _ made: Wrapped, in owner: Injector, by maker: UInt, isLoaded: Bool = false, _ stack: ResolutionStack
  ) throws -> Bool {
    let box = made.box
    if let weaken = registration.recipe.extras?.values.weaken {
      do throws(NotAnObject) {
        _ = try weaken(box)
      } catch {
        throw owner.failure(.valueType(error.type), registration, stack.path)
      }
    }
    guard owner.keep(self) else {
      let error = owner.closed(registration, stack.path)
      owner.close(made.inner ?? box, of: registration) { fail(error.outcomeForOthers, by: maker) }
      throw error
    }
    if registration.isClosable, let inner = made.inner { claim.withLock { $0.rare.orMade.inner = inner } }
    let session = stack.own.session
    if registration.recipe.extras?.values.configurations.isEmpty ?? true, session?.isSettled ?? true {
      return publish(box, in: owner)
    }
    claim.withLock { $0.construct(box) }
    stack.own.uses &+= 1  // A later read may depend on this instance: see `InjectedSlot.make`.
    try stack.configure(
      Session.Made(
        registration: registration, cell: self, box: box, inner: made.inner, injector: owner, maker: maker,
        isLoaded: isLoaded))
    return false
  }

  /// Sleeps until the cell has an outcome for the caller.
  ///
  /// - Returns: The unfinished instance, if it breaks a cycle of waits; `nil` if the caller has to look again.
  func wait(_ asker: Asker, _ injector: Injector) throws -> AnyBox? {
    let waiter = Waiter()
    WaitGraph.enrol(waiter, for: self, asker, injector)
    let outcome = waiter.wait()
    WaitGraph.leave(waiter, asker)
    switch outcome {
    case .take(let box): return box
    case .failed(let error): throw error
    case .circle(let outer):
      ThreadStack.current.with { $0.putAside(inside: outer) }
      throw injector.failure(
        .cycle([Step(registration), Step(outer.registration), Step(registration)]), registration)
    case .look, .proceed, .cancelled, .timedOut: return nil
    }
  }
}
