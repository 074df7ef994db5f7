/// What Plug promises, in the plainest form: one thread, lists and recursion.
final class ReferenceModel {
  final class Registration {
    let plan: Plan
    unowned let level: Level
    /// Whether it wraps the instance that its scope inherits.
    var isInheriting = false
    /// Whether an instance has been begun in a scope, or for an argument.
    var isUsed = false

    init(_ plan: Plan, in level: Level) { (self.plan, self.level) = (plan, level) }

    var decorators: [Decorator] { level.decorators.filter { $0.service == plan.service } }
  }

  /// An injector or a scope.
  final class Level {
    let (number, name, parent): (Int, String?, Level?)
    var (isClosed, isSealed) = (false, false)
    /// The candidates of each service in their order, and last the registration without a rule.
    var registrations: [Int: [Registration]] = [:]
    var decorators: [Decorator] = []
    /// The instances in the order in which their factories returned, and those that could not be made.
    var cells: [Cell] = []
    /// What a sealed injector holds until it is released, because threads may be reading it without a lock.
    var retired: [Cell] = []

    init(_ number: Int, _ name: String? = nil, in parent: Level? = nil) {
      (self.number, self.name, self.parent, isClosed) = (number, name, parent, parent?.isClosed ?? false)
    }

    var levels: [Level] { [self] + (parent?.levels ?? []) }
    var depth: Int { levels.count - 1 }
    /// Why its registrations cannot change.
    var refusal: Refusal? { isClosed ? .closed : isSealed ? .sealed : nil }
  }

  /// The place of one instance.
  final class Cell {
    let (registration, argument): (Registration, Int?)
    unowned let level: Level
    /// The instance without its decorators, and what requests get.
    var (inner, outer): ((any Part)?, (any Part)?)
    weak var weakOuter: (any Part)?
    var (isBegun, isConfigured) = (false, false)
    /// The frame until whose end its configuration is put aside.
    var awaited: Int?
    /// Whether its configuration has been put aside, and whether that of another instance is until this one is made.
    var (isRepeated, isAwaited) = (false, false)

    var plan: Plan { registration.plan }

    init(_ registration: Registration, _ argument: Int? = nil, in level: Level, given: (any Part)? = nil) {
      (self.registration, self.argument, self.level, inner) = (registration, argument, level, given)
    }
  }

  let ledger: Ledger
  private let allowsRewriting: Bool
  private var levels = [0: Level(0)]
  // The state of an outermost request: the asked injector, the running factories and configurations, the instances that
  // may refer to an unconfigured one, those of the lifetime `graph` and the failed ones among them, the running loads,
  // and what has to be loaded.
  var asked: Level?
  var frames: [(cell: Cell, isConfiguring: Bool)] = []
  var unfinished: [Cell] = []
  var (shared, forgotten): ([Cell], [any Part]) = ([], [])
  var (loads, missing): ([Cell], Cell?) = ([], nil)

  init(_ ledger: Ledger, allowsRewriting: Bool) { (self.ledger, self.allowsRewriting) = (ledger, allowsRewriting) }

  func perform(_ operation: Operation) throws(Refusal) -> Outcome {
    guard let level = levels[operation.place] else { return .done }
    switch operation {
    case .open(let number, _, let name): levels[number] = Level(number, name, in: level)
    case .register(let plan, _): try register(plan, in: level)
    case .unregister(let service, let candidate, _): try unregister(service, candidate, in: level)
    case .decorate(let decorator, _): try decorate(decorator, in: level)
    case .reset(let service, _):
      if let service, try find(service, from: level).isEmpty { throw .notRegistered }
      release(in: level) { $0.plan.life != .singleton && (service == nil || $0.plan.service == service) }
    case .close:
      level.isClosed = true
      release(in: level) { _ in true }
    case .seal:
      if level.levels.contains(where: \.isClosed) { throw .closed }
      for one in level.levels.flatMap(\.registrations.values).joined() where one.isInheriting {
        if try find(one.plan.service, from: one.level.parent).isEmpty { throw .invalid }
      }
      level.isSealed = true
    case .toggle(let one): ledger.toggle(one)
    case .request(let need, _):
      asked = level
      return try request(need, from: level)
    }
    return .done
  }
}

// Changes.
extension ReferenceModel {
  private func register(_ plan: Plan, in level: Level) throws(Refusal) {
    let new = Registration(plan, in: level)
    let given = plan.life == .singleton ? Kind<Never>(Origin(ledger, plan, [])) : nil
    if let refusal = level.refusal { throw refusal }
    let old = level.registrations[plan.service] ?? []
    var all = old.filter { $0.plan.candidate?.id != plan.candidate?.id }
    if all.count < old.count, !allowsRewriting { throw .alreadyRegistered }
    all.insert(new, at: all.firstIndex { $0.plan.priority < plan.priority } ?? all.count)
    if given != nil { level.cells.append(Cell(new, in: level, given: given)) }
    replace(plan.service, old, by: all, in: level)
  }

  private func unregister(_ service: Int, _ candidate: String?, in level: Level) throws(Refusal) {
    if let refusal = level.refusal { throw refusal }
    let old = level.registrations[service] ?? []
    let rest = old.filter { candidate != nil && $0.plan.candidate?.id != candidate }
    if rest.count == old.count { throw .notRegistered }
    replace(service, old, by: rest, in: level)
  }

  /// Releases the instances of ended registrations, and in a scope, of those that it has inherited until now.
  private func replace(_ service: Int, _ old: [Registration], by new: [Registration], in level: Level) {
    level.registrations[service] = new.isEmpty ? nil : new
    let isSameChoice = old.first?.plan.candidate != nil && new.first?.plan.candidate != nil
    release(in: level) { one in
      one.plan.service == service && !new.contains { $0 === one } && (one.level === level || !isSameChoice)
    }
  }

  private func decorate(_ decorator: Decorator, in level: Level) throws(Refusal) {
    if let refusal = level.refusal { throw refusal }
    let own = level.registrations[decorator.service] ?? []
    let all = own.isEmpty ? try find(decorator.service, from: level.parent) : own
    // A point is decorated where it is registered, and the service of the outermost injector may be registered later.
    let isPoint = own.isEmpty && all.first?.plan.candidate != nil
    let isLater = own.isEmpty && level.parent == nil
    if isPoint || !isLater && all.allSatisfy({ $0.plan.life == .provided }) { throw .notRegistered }
    let isBegun = level.cells.contains { cell in cell.isBegun && all.contains { $0 === cell.registration } }
    if isBegun || own.contains(where: \.isUsed) { throw .instanceExists }
    level.decorators.append(decorator)
    guard own.isEmpty, let plan = all.first?.plan else { return }
    // An instance that is kept further out becomes one for this scope.
    let isKeptHere = plan.life == .singleton || level.levels.contains { .scopedIn($0.name ?? "") == plan.life }
    let wrapping = Registration(Plan(plan.service, isKeptHere ? .lazySingleton : plan.life), in: level)
    wrapping.isInheriting = true
    level.registrations[plan.service] = [wrapping]
  }

  /// Releases instances of a level in the reverse order of their construction.
  private func release(in level: Level, where isMeant: (Registration) -> Bool) {
    let gone = level.cells.filter { isMeant($0.registration) }
    level.cells.removeAll { isMeant($0.registration) }
    gone.reversed().forEach(close)
    if level.isSealed { level.retired += gone.filter { $0.plan.isClosable && !$0.plan.isScoped } }
  }

  func close(_ cell: Cell) {
    guard cell.plan.isClosable, !cell.registration.isInheriting, let inner = cell.inner else { return }
    ledger.note("close \(inner)")
  }
}
