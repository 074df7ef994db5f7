import Synchronization

/// What an injector keeps, beside its registrations, until it is closed.
struct Holdings {
  var isClosed = false

  /// The cells of a scope for what is registered as scoped, by the cells that are registered.
  ///
  /// A cell here holds its template, so that no other can have that identity meanwhile.
  var ownCells: [ObjectIdentifier: AnyEntry] = [:]

  /// What few injectors have; an object, because every scope has holdings.
  final class Extras {
    /// The cells of what is made from arguments, by the entries that make it; with these.
    var argumentCells: [ObjectIdentifier: (entry: AnyEntry, cells: AnyArgumentCells)] = [:]

    /// What a scope has in place of entries that are registered further out, because it decorates them; with those.
    var overlays: [ObjectIdentifier: (original: AnyEntry, overlay: AnyEntry)] = [:]

    /// What is being loaded.
    var loads: [ObjectIdentifier: Loading] = [:]

    /// The latest start.
    var start: Task<InjectorError?, Never>?

    /// The task that closes everything.
    var closing: Task<[InjectorError], Never>?

    /// The tasks that close what could not be closed at once.
    var closings: [UInt: (facts: InjectorError.Facts, task: Task<[InjectorError], Never>)] = [:]
    var lastClosing: UInt = 0

    /// Tells the injector from others, also from one that has its address later.
    let identity = ClosingIdentity()
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
  mutating func addOverlay(_ overlay: AnyEntry, of original: AnyEntry) -> AnyEntry {
    if isClosed { return overlay }
    let extras = extras
    if let first = extras.overlays[ObjectIdentifier(original)] { return first.overlay }
    for (part, overlaid) in zip(original.parts, overlay.parts) where extras.overlays[ObjectIdentifier(part)] == nil {
      extras.overlays[ObjectIdentifier(part)] = (part, overlaid)
    }
    extras.overlays[ObjectIdentifier(original)] = (original, overlay)
    return overlay
  }

  /// The cells with instances to be given up, and the states of properties, in order of construction.
  var kept: [AnyEntry] = []

  /// The states of properties that have been given up: whoever is reading one may go on.
  private var ended: [AnyEntry] = []

  /// - Returns: `false` if the injector has been closed.
  mutating func keep(_ cell: AnyEntry) -> Bool {
    // An instance that was handed in has been kept since then.
    if cell.lifetime == .singleton, kept.contains(where: { $0 === cell }) { return !isClosed }
    if !isClosed { kept.append(cell) } else if cell.isState { ended.append(cell) }
    return !isClosed
  }

  /// Takes what has to be given up.
  mutating func takeKept() -> [AnyEntry] {
    defer { kept = [] }
    ended += kept.filter(\.isState)
    return kept
  }
}

extension Injector {
  /// The injector that keeps the instance of something registered: this one, or what it is a scope of.
  func owner(of subject: Subject) -> Injector {
    var injector = self
    while let parent = injector.parent, !injector.registrations.has(subject.service, subject.tag) { injector = parent }
    return injector
  }

  /// The cell in which this scope keeps its own instance.
  ///
  /// Soundness of the cast: a cell is stored under the identity of its template, and made with the type of that.
  func ownCell<Service>(for template: Cell<Service>) throws(InjectorError) -> Cell<Service> {
    try refuseCapture(of: template, keptAt: max(depth, 1))
    guard parent != nil else { throw .scopeRequired(InjectorError.Facts(about: template.subject, in: self)) }
    let cell = ownCell(ObjectIdentifier(template)) ?? keepOwn(Cell(scopedFrom: template), ObjectIdentifier(template))
    guard let cell else { throw closed(template.subject.service, template.tag) }
    template.hasOwnCells.store(true, ordering: .releasing)
    return unsafe unsafeDowncast(cell, to: Cell<Service>.self)
  }

  private func ownCell(_ template: ObjectIdentifier) -> AnyEntry? {
    holdings.withLock { $0.ownCells[template] }
  }

  /// Keeps a new cell, unless another thread was first.
  ///
  /// - Returns: The one that is kept; `nil` if the injector has been closed.
  private func keepOwn(_ fresh: AnyEntry, _ template: ObjectIdentifier) -> AnyEntry? {
    holdings.withLock { holdings in
      if holdings.isClosed { return nil }
      if let first = holdings.ownCells[template] { return first }
      holdings.ownCells[template] = fresh
      return fresh
    }
  }

  /// The cells of what an entry makes from arguments, which are kept here.
  ///
  /// - Returns: `nil` if the injector has been closed.
  func argumentCells(of entry: AnyEntry, orKeep make: () -> AnyArgumentCells) -> AnyArgumentCells? {
    if let known = holdings.withLock({ $0.known?.argumentCells[ObjectIdentifier(entry)] }) { return known.cells }
    let fresh = make()
    return holdings.withLock { holdings in
      if holdings.isClosed { return nil }
      if let first = holdings.extras.argumentCells[ObjectIdentifier(entry)] { return first.cells }
      holdings.extras.argumentCells[ObjectIdentifier(entry)] = (entry, fresh)
      return fresh
    }
  }

  /// Forgets what an entry has made from arguments.
  func forgetArguments(of entry: AnyEntry) {
    let forgotten = holdings.withLock { $0.known?.argumentCells.removeValue(forKey: ObjectIdentifier(entry)) }
    withExtendedLifetime(forgotten) {}
  }

  /// Remembers that a cell has an instance, if that will have to be given up in order.
  ///
  /// - Returns: `false` if the injector has been closed.
  func keep(_ cell: AnyEntry) -> Bool {
    if parent == nil && !cell.isClosable { return !registrations.isClosed }
    return holdings.withLock { $0.keep(cell) }
  }

  /// Gives up the instances of what is registered no more.
  func giveUp(_ gone: [AnyEntry]) {
    let kept = holdings.withLock { holdings -> [AnyEntry] in
      if holdings.kept.isEmpty { return [] }
      let identities = Set(gone.map(ObjectIdentifier.init))
      defer { holdings.kept.removeAll { identities.contains(ObjectIdentifier($0)) } }
      return holdings.kept.filter { identities.contains(ObjectIdentifier($0)) }
    }
    close(kept)
  }

  /// Gives up everything; the second time nothing is left.
  ///
  /// Each cell goes, with its instance, before the one that was constructed before it. So nothing else may hold them.
  ///
  /// - Returns: What cannot be closed at once.
  func giveUpAll() -> Closings? {
    _ = beginClosing()
    return Closings.run(holdings.withLock { $0.takeKept() }, of: self)
  }

  /// Gives up everything, and returns when all that has been done.
  ///
  /// - Returns: What went wrong, also for one who comes while it is being done.
  func giveUpAll(_ deadline: Deadline) async -> [InjectorError] {
    let stopped = beginClosing()
    let closing = holdings.withLock { holdings in
      if let closing = holdings.known?.closing { return closing }
      let closings = Closings(holdings.takeKept(), of: self, holdings.extras.identity)
      let closing = Task {
        for load in stopped where !load.isOwn { _ = await deadline.run { await load.task?.value } }
        return await closings.run(deadline) + restOfClosings(deadline)
      }
      holdings.extras.closing = closing
      return closing
    }
    // A load that waited for all loads would wait for itself.
    return stopped.contains(where: \.isOwn) ? [] : await Closings.wait(for: closing, of: self)
  }

  /// Closes instances, at once as far as that is possible.
  func close(_ cells: [AnyEntry]) {
    if cells.isEmpty { return }
    _ = finish(Closings.run(cells, of: self))
  }

  /// Closes in a task what could not be closed at once.
  func finish(_ rest: Closings?) -> Task<[InjectorError], Never>? {
    rest.map { rest in finish(rest.facts) { await rest.run(Deadline()) } }
  }

  @discardableResult
  func finish(
    _ facts: InjectorError.Facts, _ work: @escaping @Sendable () async -> [InjectorError]
  ) -> Task<[InjectorError], Never> {
    holdings.withLock { holdings in
      let extras = holdings.extras
      extras.lastClosing += 1
      let number = extras.lastClosing
      let task = Task { [weak self] in
        let failures = await work()
        self?.holdings.withLock { $0.known?.closings[number] = nil }
        return failures
      }
      extras.closings[number] = (facts, task)
      return task
    }
  }

  /// Waits for what has been closed in tasks.
  private func restOfClosings(_ deadline: Deadline) async -> [InjectorError] {
    var failures: [InjectorError] = []
    while let closing = holdings.withLock({ $0.known?.closings.popFirst()?.value }) {
      failures +=
        await deadline.run { await closing.task.value } ?? [.timedOut(closing.facts, after: deadline.limit ?? .zero)]
    }
    return failures
  }

  /// Refuses every request from now on, and cancels what is being loaded.
  ///
  /// - Returns: The tasks of that, and whether the calling code belongs to them.
  private func beginClosing() -> [(task: Task<Void, Never>?, isOwn: Bool)] {
    releaseOwnCells(isClosing: true)
    registrations.close()
    let loads = holdings.withLock { $0.known?.loads.values.map(\.self) ?? [] }
    if loads.isEmpty { return [] }
    let own = LoadContext.current?.loadings ?? []
    return loads.map { load in (load.stop(), own.contains { $0 === load }) }
  }

  /// Gives up the instances, in reverse order of construction, and ends the observations, but keeps the registrations:
  /// they begin anew.
  ///
  /// - Returns: The task that goes on with what cannot be closed at once.
  @discardableResult
  func startOver() -> Task<[InjectorError], Never>? {
    let (states, instances) = holdings.withLock { holdings in
      let instances = holdings.kept.filter { !$0.isState }
      holdings.kept.removeAll { !$0.isState }
      return (holdings.kept, instances)
    }
    let rest = finish(Closings.run(instances, of: self))
    for state in states { (state as? AnyPropertyState)?.endObservations() }
    releaseOwnCells(isClosing: false)
    registrations.startOver()
    return rest
  }

  /// Forgets instances: whoever asks for them gets others.
  ///
  /// - Returns: Those that it has kept, and that are to be closed.
  func renew(_ made: [AnyEntry]) -> [AnyEntry] {
    let cells = Set(made.map(ObjectIdentifier.init))
    let before = holdings.withLock { holdings in
      let before = (
        kept: holdings.kept, own: holdings.ownCells, overlays: holdings.known?.overlays ?? [:],
        arguments: holdings.known?.argumentCells.values.map(\.cells) ?? []
      )
      holdings.kept.removeAll { cells.contains(ObjectIdentifier($0)) }
      holdings.ownCells = before.own.filter { !cells.contains(ObjectIdentifier($1)) }
      holdings.known?.overlays = before.overlays.filter { _, known in
        !known.overlay.parts.contains { cells.contains(ObjectIdentifier($0)) }
      }
      return before
    }
    for made in before.arguments { made.remove(cells) }
    registrations.renew(cells)
    return before.kept.filter { cells.contains(ObjectIdentifier($0)) }
  }

  private func releaseOwnCells(isClosing: Bool) {
    let cells = holdings.withLock { holdings in
      if isClosing { holdings.isClosed = true }
      defer {
        holdings.ownCells = [:]
        holdings.known?.overlays = [:]
        holdings.known?.argumentCells = [:]
      }
      return (holdings.ownCells, holdings.known?.overlays, holdings.known?.argumentCells)
    }
    withExtendedLifetime(cells) {}
  }
}
