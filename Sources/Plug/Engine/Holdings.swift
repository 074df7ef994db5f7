/// What an injector keeps, beside its registrations, until it is closed.
struct Holdings {
  var isClosed = false

  /// The cells of a scope for what is registered as scoped, by the cells that are registered.
  ///
  /// A cell here holds its template, so that no other can have that identity meanwhile.
  var ownCells: [ObjectIdentifier: AnyEntry] = [:]

  /// The cells with instances to be given up, and the states of properties, in order of construction.
  var kept: [AnyEntry] = []

  /// The states of properties that have been given up: whoever is reading one may go on.
  private var ended: [AnyEntry] = []

  /// - Returns: `false` if the injector has been closed.
  mutating func keep(_ cell: AnyEntry) -> Bool {
    if !isClosed { kept.append(cell) } else if cell.isState { ended.append(cell) }
    return !isClosed
  }

  mutating func popLast() -> AnyEntry? {
    let last = kept.popLast()
    if let last, last.isState { ended.append(last) }
    return last
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
    for cell in kept.reversed() { cell.runClosing() }
  }

  /// Gives up everything; the second time nothing is left.
  ///
  /// Each cell goes, with its instance, before the one that was constructed before it. So nothing else may hold them:
  /// they are taken from where they are, one at a time.
  func giveUpAll() {
    releaseOwnCells(isClosing: true)
    registrations.close()
    while let cell = holdings.withLock({ $0.popLast() }) {
      cell.runClosing()
      if !cell.isState { reportClosing(of: cell.subject) }
    }
  }

  /// Gives up the instances, in reverse order of construction, and ends the observations, but keeps the registrations:
  /// they begin anew.
  func startOver() {
    let (states, instances) = holdings.withLock { holdings in
      let instances = holdings.kept.filter { !$0.isState }
      holdings.kept.removeAll { !$0.isState }
      return (holdings.kept, instances)
    }
    for cell in instances.reversed() { cell.runClosing() }
    for state in states { (state as? AnyPropertyState)?.endObservations() }
    releaseOwnCells(isClosing: false)
    registrations.startOver()
  }

  private func releaseOwnCells(isClosing: Bool) {
    let cells = holdings.withLock { holdings in
      if isClosing { holdings.isClosed = true }
      defer { holdings.ownCells = [:] }
      return holdings.ownCells
    }
    withExtendedLifetime(cells) {}
  }
}
