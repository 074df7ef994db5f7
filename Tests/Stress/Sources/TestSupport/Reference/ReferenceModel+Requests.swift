// Requests.
extension ReferenceModel {
  func request(_ need: Need, from level: Level) throws(Refusal) -> Outcome {
    switch need {
    case .get(let service, let argument): return .one(try winner(service, argument, in: level, for: level))
    case .optional(let service):
      // The optional type itself may be registered anywhere.
      if level.levels.contains(where: \.isClosed) { throw .closed }
      let found = try find(service, from: level)
      guard try !isAbsent(found, for: level), let first = try applicable(found).first else { return .absent }
      return .one(try provide(first, for: level))
    case .all(let service): return .all(try all(service, from: level))
    case .load(let service):
      return .one(try load { () throws(Refusal) in try winner(service, nil, in: level, for: level) })
    case .fromOutermost(let need): return try request(need, from: asked ?? level)
    case .attempt(let need): return Outcome { () throws(Refusal) in try request(need, from: level) }
    }
  }

  /// What the innermost injector that has registered the service has registered.
  func find(_ service: Int, from level: Level?) throws(Refusal) -> [Registration] {
    for level in level?.levels ?? [] {
      if level.isClosed { throw .closed }
      if let found = level.registrations[service] { return found }
    }
    return []
  }

  /// Whether scopes register the service themselves, and none has.
  private func isAbsent(_ found: [Registration], for level: Level) throws(Refusal) -> Bool {
    guard let one = found.first, one.plan.life == .provided, !one.isInheriting else { return false }
    if keeper < (level.parent == nil ? .max : level.depth) { throw .captiveDependency }
    return true
  }

  /// The implementations that apply. What lives longer than a scope gets nothing that the scope has registered.
  private func applicable(_ found: [Registration]) throws(Refusal) -> [Registration] {
    if let level = found.first?.level, keeper < level.depth { throw .captiveDependency }
    return found.filter { one in one.plan.candidate?.gate.map { ledger.isOn(.gate($0)) } ?? true }
  }

  /// The least depth of an injector that keeps an instance which is being made; the greatest number if there is none.
  private var keeper: Int { (frames.map(\.cell) + loads).filter(\.plan.isKept).map(\.level.depth).min() ?? .max }

  func winner(_ service: Int, _ argument: Int?, in outer: Level?, for level: Level) throws(Refusal) -> any Part {
    let found = try find(service, from: outer)
    guard let first = try applicable(found).first else { throw found.isEmpty ? .notRegistered : .noCandidate }
    return try provide(first, argument, for: level)
  }

  /// The implementations that apply in one injector, and further out as long as they are only contributions.
  private func all(_ service: Int, from level: Level) throws(Refusal) -> [any Part] {
    var parts: [any Part] = []
    var found = try find(service, from: level)
    while let last = found.last, try !isAbsent(found, for: level) {
      parts = try applicable(found).map { one throws(Refusal) in try provide(one, for: level) } + parts
      let areContributions = found.allSatisfy { $0.plan.candidate != nil && $0.plan.candidate?.gate == nil }
      found = areContributions ? try find(service, from: last.level.parent) : []
    }
    return parts
  }

  private func provide(_ one: Registration, _ argument: Int? = nil, for level: Level) throws(Refusal) -> any Part {
    let (plan, owner) = (one.plan, try owner(of: one, for: level))
    func isSame(_ cell: Cell) -> Bool { cell.registration === one && cell.argument == argument && cell.level === owner }
    let known = (owner.cells + shared).first(where: isSame)
    if plan.life == .singleton, plan.links == nil, one.decorators.isEmpty, let given = known?.inner { return given }
    if let part = known?.outer ?? known?.weakOuter { return part }
    // With arguments, a service that nobody keeps may need itself.
    let outer = frames.firstIndex { !$0.isConfiguring && isSame($0.cell) }
    if let outer, argument == nil || plan.isKept {
      putAside(until: outer)
      throw .circularDependency
    }
    let cell = known ?? Cell(one, argument, in: owner)
    if known == nil, plan.isKept { owner.cells.append(cell) }
    if plan.isScoped || argument != nil && plan.isKept { one.isUsed = true }
    if !plan.isLoaded { return try make(cell) }
    if loads.contains(where: { $0 === cell }) { throw .circularDependency }
    missing = cell
    throw .notLoaded
  }

  /// The injector that keeps an instance, or makes it.
  private func owner(of one: Registration, for level: Level) throws(Refusal) -> Level {
    let owner: Level? =
      switch one.plan.life {
      case .singleton, .lazySingleton, .weakSingleton: one.level
      case .scoped, .provided: level.parent == nil ? nil : level
      case .scopedIn(let name): level.levels.first { $0.name == name }
      case .graph, .factory: level
      }
    if one.plan.isKept, keeper < owner?.depth ?? .max { throw .captiveDependency }
    guard let owner, !owner.isClosed else { throw owner == nil ? .scopeRequired : .closed }
    return owner
  }
}

// The making of an instance.
extension ReferenceModel {
  private func make(_ cell: Cell) throws(Refusal) -> any Part {
    let (first, firstShared) = (unfinished.count, shared.count)
    defer { if frames.isEmpty { (shared, forgotten) = ([], []) } }
    do throws(Refusal) {
      let part = try run(cell)
      while let next = unfinished.first(where: { $0.awaited == frames.count }) { try configure(next) }
      return part
    } catch {
      // Inside of a configuration that runs again, what waits for the failed level waits for that.
      let hasRun = cell.outer != nil && (cell.isConfigured || cell.awaited != nil)
      if !hasRun, cell.isAwaited, let outer = frames.last(where: \.isConfiguring)?.cell.awaited {
        for one in unfinished[first...] where one.awaited == frames.count { one.awaited = outer }
        cell.isAwaited = false
      }
      if cell.outer == nil { abandon(cell, error) }
      // Only what was made after an instance that will not be configured may refer to that instance.
      let isLost = frames.isEmpty || cell.isAwaited
      let lost = unfinished[first...].firstIndex { isLost || !$0.isConfigured && $0.awaited == nil }
      guard let lost else { throw error }
      forgotten += shared[firstShared...].compactMap(\.outer)
      shared.removeSubrange(firstShared...)
      for one in unfinished[lost...].reversed() { abandon(one, error) }
      unfinished.removeSubrange(lost...)
      throw error
    }
  }

  /// Runs the factory, the decorators and the configuration.
  private func run(_ cell: Cell) throws(Refusal) -> any Part {
    frames.append((cell, false))
    defer { frames.removeLast() }
    let (registration, plan, level) = (cell.registration, cell.plan, cell.level)
    (cell.isBegun, cell.isConfigured, cell.isRepeated, cell.isAwaited) = (true, plan.links == nil, false, false)
    if registration.isInheriting {
      cell.inner = try winner(plan.service, cell.argument, in: registration.level.parent, for: level)
    } else if cell.inner == nil, plan.life != .provided {
      try runFactory(of: cell)
    }
    guard var part = cell.inner else { throw .notRegistered }
    for decorator in registration.decorators {
      try ledger.begin("decorate \(part) by \(decorator.id) in \(level.number)", .decorators(plan.service))
      part = Kind<Never>(Origin(ledger, around: part, try answers(decorator.needs, from: level)))
    }
    cell.outer = part
    if plan.life == .graph { shared.append(cell) }
    if plan.isKept, plan.life != .singleton { level.cells = level.cells.filter { $0 !== cell } + [cell] }
    if plan.isKept || plan.links != nil { unfinished.append(cell) }
    if plan.links == nil { publish() } else { try configure(cell) }
    return part
  }

  private func runFactory(of cell: Cell) throws(Refusal) {
    try ledger.begin("make \(cell.plan.service) in \(cell.level.number)", .factory(cell.plan.service))
    cell.inner = Kind<Never>(Origin(ledger, cell.plan, try answers(cell.plan.needs, from: cell.level)))
  }

  private func answers(_ needs: [Need], from level: Level) throws(Refusal) -> [Outcome] {
    try needs.map { (need) throws(Refusal) in try request(need, from: level) }
  }

  private func configure(_ cell: Cell) throws(Refusal) {
    guard let inner = cell.inner else { return }
    cell.awaited = nil
    do throws(Refusal) {
      frames.append((cell, true))
      defer { frames.removeLast() }
      try ledger.begin("configure \(inner) in \(cell.level.number)", .configuration(cell.plan.service))
      inner.origin.configure(try answers(cell.plan.links ?? [], from: cell.level))
    } catch {
      if cell.awaited == nil { throw error }
    }
    (cell.isConfigured, cell.isRepeated) = (cell.awaited == nil, cell.awaited != nil)
    publish()
  }

  /// Puts the configuration aside that has requested an instance which is being made around it.
  private func putAside(until outer: Int) {
    guard let inner = frames[outer...].last(where: \.isConfiguring)?.cell else { return }
    // An unshared instance inside another run of its configuration would lead to another one.
    let repeated = frames.map(\.cell).filter { $0 !== inner && $0.isRepeated && $0.registration === inner.registration }
    if !inner.plan.isKept, repeated.contains(where: { $0.level === inner.level }) { return }
    (inner.awaited, frames[outer].cell.isAwaited) = (outer, true)
  }

  private func publish() {
    guard unfinished.allSatisfy(\.isConfigured) else { return }
    for cell in unfinished where cell.plan.life == .weakSingleton {
      (cell.weakOuter, cell.inner, cell.outer) = (cell.outer, nil, nil)
    }
    unfinished = []
  }

  /// Ends an attempt without an instance.
  private func abandon(_ cell: Cell, _ error: Refusal) {
    cell.outer = nil
    if cell.plan.life == .singleton || cell.plan.isLoaded && error == .notLoaded { return }
    close(cell)
    cell.inner = nil
    if cell.argument != nil { cell.level.cells.removeAll { $0 === cell } }
  }

  /// Repeats a request until it needs nothing that has to be loaded.
  private func load(_ request: () throws(Refusal) -> any Part) throws(Refusal) -> any Part {
    while true {
      do throws(Refusal) { return try request() } catch { if error != .notLoaded { throw error } }
      try loadMissing()
    }
  }

  private func loadMissing() throws(Refusal) {
    guard let cell = missing else { throw .notLoaded }
    (missing, cell.isBegun) = (nil, true)
    loads.append(cell)
    defer { loads.removeLast() }
    defer { if cell.outer == nil { abandon(cell, .constructionFailed) } }
    try runFactory(of: cell)
    _ = try load { () throws(Refusal) in try make(cell) }
  }
}
