/// What an injector keeps, beside its registrations, until it is closed.
struct InstanceStore {
  var isClosed = false

  var cells = InstanceCells()

  /// The cell of a scope for what is registered as scoped, if there is one.
  mutating func ownCell(of registered: AnyEntry) -> AnyEntry? { isClosed ? nil : cells[registered] }

  /// What few injectors have; an object, because every scope has a store.
  final class Extras {
    /// The cells of what is made from arguments, by the entries that make it.
    var argumentCells = IdentityMap<AnyEntry, ArgumentCells>()

    /// What a scope has in place of entries that are registered further out, because it decorates them.
    var overlays = IdentityMap<AnyEntry, AnyEntry>()

    /// How many decorators have been added here, by services.
    var decorations = [ServiceKey: Int]()

    /// What scopes inside keep instances of: decorators that come later would not wrap these.
    var keptInside = IdentityMap<AnyEntry, Void>()

    /// What is being loaded.
    var loads = IdentityMap<Loading, Void>()

    /// The latest start.
    var start: Task<InjectorError?, Never>?

    /// The task that closes everything.
    var closing: Task<[InjectorError], Never>?

    /// Whether that task still runs.
    var isClosingInTask = false

    /// Those who wait until another has closed everything without a task.
    var waitingForClosing: [CheckedContinuation<Void, Never>] = []

    /// The tasks that close what could not be closed at once.
    var closings = [UInt: (facts: InjectorError.Facts, task: Task<[InjectorError], Never>)]()
    var lastClosing: UInt = 0

    /// Tells the injector from others, also from one that has its address later.
    lazy var identity = ClosingIdentity()

    deinit { argumentCells.end() }
  }

  /// The cells for which nobody asks any more.
  struct ForgottenCells: Sendable {
    let unmade: [AnyEntry]
    let overlays: IdentityMap<AnyEntry, AnyEntry>?
    let argumentCells: IdentityMap<AnyEntry, ArgumentCells>?
    let keptInside: IdentityMap<AnyEntry, Void>?
  }

  /// Takes the cells, if there are any, to be released outside of the lock.
  @inline(__always)
  mutating func forgetCells() -> ForgottenCells? {
    if known == nil, cells.keepsAll { return nil }
    return forgetUnmade()
  }

  private mutating func forgetUnmade() -> ForgottenCells {
    ForgottenCells(
      unmade: cells.removeUnmade { _ in true }, overlays: known?.overlays.take(),
      argumentCells: known?.argumentCells.take(), keptInside: known?.keptInside.take())
  }

  private(set) var known: Extras?

  /// The same, made if there is none.
  var extras: Extras {
    mutating get {
      if let known { return known }
      let made = Extras()
      known = made
      return made
    }
  }

  /// Adds one, unless another thread was first, or the injector has been closed.
  ///
  /// - Parameter count: How many decorators there were before those of the overlay were looked up.
  /// - Returns: `nil` if there is another one by now.
  mutating func addOverlay(_ overlay: AnyEntry, of original: AnyEntry, decoratedBy count: Int) -> AnyEntry? {
    if isClosed { return overlay }
    let extras = extras
    if extras.decorations[overlay.key] ?? 0 != count { return nil }
    for (part, overlaid) in zip(original.parts, overlay.parts) { _ = extras.overlays.insert(overlaid, for: part) }
    return extras.overlays.insert(overlay, for: original)
  }

  /// Whether another closes everything without a task.
  var isClosingAtOnce = false

  /// Whether instances are being closed.
  var isClosing: Bool {
    isClosingAtOnce || known.map { $0.isClosingInTask || !$0.closings.isEmpty } ?? false
  }

  /// Sets the task that closes everything.
  mutating func setClosing(_ task: Task<[InjectorError], Never>) {
    extras.closing = task
    extras.isClosingInTask = true
  }

  /// The states of properties of an injector that is no scope, which stay as long as it: whoever is reading one may go
  /// on. Those of a scope are held by whoever reads them.
  private var states = [AnyEntry]()

  /// - Returns: `false` if the injector has been closed.
  mutating func keep(_ cell: AnyEntry, inScope isScope: Bool) -> Bool {
    if !isScope, cell.isState { states.append(cell) }
    if isClosed { return false }
    cells.keep(cell)
    return true
  }

  /// Keeps the instances no longer of what is registered no more, nor what a scope has in place of that.
  ///
  /// - Returns: Those that are to be closed, in order of construction, and those without an instance, to be released
  ///   outside of the lock. One whose instance is being made is given up when that has been kept.
  fileprivate mutating func giveUp(_ gone: [AnyEntry]) -> (kept: [AnyEntry], unmade: [AnyEntry]) {
    if cells.isEmpty { return ([], []) }
    let identities = Set(gone.map(\.keptAs))
    let kept = cells.giveUp { $0.isKept(for: identities) }
    let own = cells.removeUnmade { $0.isKept(for: identities) }
    for cell in own { cell.settle(as: .replaced) }
    let closable = Set(kept.map(ObjectIdentifier.init))
    return (kept, own.filter { !closable.contains(ObjectIdentifier($0)) })
  }

  /// Keeps what another injector has kept before.
  mutating func keepFirst(_ cells: [AnyEntry]) {
    states += cells.filter(\.isState)
    self.cells.keepFirst(cells)
  }
}

extension Injector {
  /// Remembers that a cell has an instance, if that will have to be given up in order.
  ///
  /// - Parameter publish: Makes the instance the one that everyone gets. If it has to be given up in order, nobody gets
  ///   it, and keeps what is made from it, before that order is known.
  /// - Returns: `false` if the injector has been closed.
  func keep(_ cell: AnyEntry, _ publish: () -> Void = {}) -> Bool {
    if !isScope && !cell.isClosable {
      publish()
      return !registrations.isClosed
    }
    return instanceStore.withLock { store in
      publish()
      return store.keep(cell, inScope: isScope)
    }
  }

  /// Keeps a place for an instance that has been made, and is published when those are that have been made with it.
  func reserve(_ cell: AnyEntry) {
    if !isScope && !cell.isClosable { return }
    instanceStore.withLock { if !$0.isClosed { $0.cells.reserve(cell) } }
  }

  /// Gives that up.
  func withdraw(_ cell: AnyEntry) {
    if isScope || cell.isClosable { instanceStore.withLock { $0.cells.withdraw(cell) } }
  }

  /// Registers a cell. If an instance is handed in with it, its place is kept before: what others make from that comes
  /// later.
  func reservingPlace<Result, Failure: Error>(
    of cell: AnyEntry?, _ register: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let cell, cell.isClosable else { return try register() }
    return try reservingPlaces(of: [cell], register)
  }

  /// Registers several cells in the same way.
  func reservingPlaces<Result, Failure: Error>(
    of cells: [AnyEntry], _ register: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let handedIn = cells.filter { $0.isClosable && $0.isHandedIn }
    for cell in handedIn { reserve(cell) }
    // The last first, which has nothing after it.
    defer { for cell in handedIn.reversed() { withdraw(cell) } }
    return try register()
  }

  /// Keeps the cells of a service that have just been registered, as far as instances were handed in with them.
  func keepHandedIn(_ cells: [AnyEntry]) {
    let handedIn = cells.filter { $0.isClosable && $0.isHandedIn }
    guard let first = handedIn.first else { return }
    close(handedIn.filter { !keep($0) })
    // Whoever has taken one out of the registry before it was kept has found nothing to give up.
    let staying = Set((registrations.entry(first.type, first.tag)?.parts ?? []).map(\.keptAs))
    let gone = handedIn.filter { !staying.contains($0.keptAs) }
    if !gone.isEmpty { giveUp(gone) }
  }

  /// Gives up the instances of what is registered no more.
  func giveUp(_ gone: [AnyEntry]) {
    let (kept, unmade) = instanceStore.withLock { $0.giveUp(gone) }
    close(consume kept)
    withExtendedLifetime(unmade) {}
  }

  /// Closes instances, at once as far as that is possible.
  ///
  /// - Parameter cells: In order of construction. So that each goes in its turn, nothing else may hold them.
  func close(_ cells: consuming [AnyEntry]) {
    if cells.isEmpty { return }
    _ = finish(CloseQueue.run(KeptInstances(consume cells), of: self).rest)
  }

  /// Closes in a task what could not be closed at once.
  func finish(_ rest: CloseQueue?) -> Task<[InjectorError], Never>? {
    guard let rest else { return nil }
    return finish(rest.facts) { await rest.run(Deadline()) }
  }

  @discardableResult
  @inline(never)
  func finish(
    _ facts: InjectorError.Facts, _ work: @escaping @Sendable () async -> [InjectorError]
  ) -> Task<[InjectorError], Never> {
    instanceStore.withLock { store in
      let extras = store.extras
      extras.lastClosing += 1
      let number = extras.lastClosing
      let task = Task { [weak self] in
        let failures = await work()
        self?.instanceStore.withLock { $0.known?.closings[number] = nil }
        return failures
      }
      extras.closings[number] = (facts, task)
      return task
    }
  }

  /// Gives up the instances, in reverse order of construction, and ends the observations, but keeps the registrations:
  /// they begin anew.
  ///
  /// - Returns: The task that goes on with what cannot be closed at once.
  @discardableResult
  func startOver() -> Task<[InjectorError], Never>? {
    let (states, instances) = instanceStore.withLock { store in
      let instances = store.cells.giveUp { !$0.isState }
      return (store.cells.kept, instances)
    }
    let rest = finish(CloseQueue.run(KeptInstances(consume instances), of: self).rest)
    for state in states { state.endObservations() }
    releaseOwnCells()
    registrations.startOver()
    return rest
  }

  /// Forgets instances: whoever asks for them gets others.
  ///
  /// - Returns: Those that it has kept, and that are to be closed.
  func renew(_ made: [AnyEntry]) -> [AnyEntry] {
    let cells = Set(made.map(ObjectIdentifier.init))
    let isGone = { @Sendable (entry: AnyEntry) in entry.parts.contains { cells.contains(ObjectIdentifier($0)) } }
    let (kept, gone) = instanceStore.withLock { store in
      let kept = store.cells.giveUp { cells.contains(ObjectIdentifier($0)) }
      let own = store.cells.removeUnmade(where: isGone)
      let overlays = store.known?.overlays.remove { _, overlay in isGone(overlay) } ?? []
      return (kept, own + overlays.map(\.value))
    }
    for cell in gone.flatMap(\.parts) where cells.contains(ObjectIdentifier(cell)) {
      cell.settle(as: .replaced)
    }
    registrations.renew(cells)
    // Last, because what is made from arguments may be made of the others.
    for (maker, made) in instanceStore.withLock({ $0.known?.argumentCells.pairs.map { ($0.key, $0.value) } ?? [] }) {
      if cells.contains(ObjectIdentifier(maker)) { made.removeAll(isLast: false) } else { made.remove(cells) }
    }
    return kept
  }
}
