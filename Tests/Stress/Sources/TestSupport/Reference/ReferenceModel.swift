/// What Plug promises, in the plainest form: one thread, lists and recursion.
final class ReferenceModel {
  /// The cases of `InjectorError`, by their names.
  enum Refusal: String, Error {
    case notRegistered, alreadyRegistered, instanceExists, argumentsMismatch, noCandidate, circularDependency
    case constructionFailed, sealed, closed, scopeRequired, captiveDependency
  }

  typealias Decorator = (number: Int, needs: [Need])
  typealias Candidate = (id: String, gate: Int?, priority: Int)

  final class Registration {
    let plan: Plan
    let level: Level
    let given: (any Part)?
    let candidate: Candidate?
    /// Whether it wraps the instance that its scope inherits.
    let isInheriting: Bool
    var decorators: [Decorator]
    /// Whether an instance has been begun in another injector, or for an argument.
    var isUsed = false
    weak var weakInstance: (any Part)?

    init(_ plan: Plan, _ level: Level, _ given: (any Part)?, _ candidate: Candidate?, isInheriting: Bool = false) {
      (self.plan, self.level, self.given, self.candidate) = (plan, level, given, candidate)
      (self.isInheriting, decorators) = (isInheriting, level.decorators[plan.service] ?? [])
    }

    var isKept: Bool { plan.life != .graph && plan.life != .factory }
  }

  /// The registrations of a service in one injector: the candidates, in their order, and the one without a rule.
  struct Entry {
    var plain: Registration?
    var candidates: [Registration] = []
    var all: [Registration] { candidates + (plain.map { [$0] } ?? []) }
  }

  /// An injector or a scope.
  final class Level {
    let (number, name, parent, depth): (Int, String?, Level?, Int)
    var (isClosed, isSealed) = (false, false)
    var entries: [Int: Entry] = [:]
    var decorators: [Int: [Decorator]] = [:]
    /// The registrations of which an instance has been begun here since the last reset.
    var begun: [Registration] = []
    /// The instances, in the order in which their factories returned.
    var kept: [Making] = []
    /// What a sealed injector holds until it is released, because threads may be reading it without a lock.
    var retired: [any Part] = []

    init(_ number: Int, _ name: String? = nil, in parent: Level? = nil) {
      (self.number, self.name, self.parent, depth) = (number, name, parent, (parent?.depth ?? -1) + 1)
      isClosed = parent?.isClosed ?? false
    }

    var levels: [Level] { [self] + (parent?.levels ?? []) }
  }

  /// The construction of an instance, and then the instance.
  final class Making {
    enum Stage { case making, configuring, aside(until: Int), failed, finished }

    let (registration, argument, level): (Registration, Int?, Level)
    /// The instance without its decorators, and what requests get.
    var (inner, outer): ((any Part)?, (any Part)?)
    var stage = Stage.making
    var runs = 0

    init(_ registration: Registration, _ argument: Int?, in level: Level) {
      (self.registration, self.argument, self.level, inner) = (registration, argument, level, registration.given)
    }

    func isAside(until index: Int) -> Bool { if case .aside(let outer) = stage { outer >= index } else { false } }
    var hasFailed: Bool { if case .failed = stage { true } else { false } }
    var isFinished: Bool { if case .finished = stage { true } else { false } }
  }

  let ledger: Ledger
  private let allowsRewriting: Bool
  var levels: [Int: Level] = [0: Level(0)]
  // The state of an outermost request: the asked injector, the running closures, the instances without a configuration.
  var asked: Level?
  var frames: [(making: Making, isConfiguring: Bool)] = []
  var unfinished: [Making] = []
  var shared: [Making] = []

  init(_ ledger: Ledger, allowsRewriting: Bool) { (self.ledger, self.allowsRewriting) = (ledger, allowsRewriting) }

  func perform(_ operation: Operation) -> Outcome {
    guard let level = levels[operation.place] else { return .done }
    do throws(Refusal) {
      switch operation {
      case .open(let number, _, let name): levels[number] = Level(number, name, in: level)
      case .register(let plan, _): try register(plan, nil, in: level)
      case .candidate(let id, let plan, let gate, let priority, _): try register(plan, (id, gate, priority), in: level)
      case .unregister(let service, let candidate, _): try unregister(service, candidate, in: level)
      case .decorate(let service, let needs, _): try decorate(service, needs, in: level)
      case .reset: reset(level) { _ in true }
      case .resetService(let service, _):
        let isMissing = try find(service, hasArgument: false, from: level) == nil
        if isMissing, absence(of: service, false, from: level) == .notRegistered { throw .notRegistered }
        reset(level) { $0.plan.service == service }
      case .close where level.isClosed: break
      case .close:
        (level.isClosed, level.entries) = (true, [:])
        release(in: level) { _ in true }
      case .seal:
        if level.levels.contains(where: \.isClosed) { throw .closed }
        level.isSealed = true
      case .toggle(let one): ledger.toggle(one)
      case .request(let need, _):
        asked = level
        defer { asked = nil }
        return try request(need, from: level)
      }
      return .done
    } catch {
      return .refused(error.rawValue)
    }
  }
}

// Changes.
extension ReferenceModel {
  private func checkChange(of level: Level) throws(Refusal) {
    if level.isClosed { throw .closed }
    if level.isSealed { throw .sealed }
  }

  private func register(_ plan: Plan, _ candidate: Candidate?, in level: Level) throws(Refusal) {
    let new = Registration(plan, level, plan.life == .singleton ? instance(plan, []) : nil, candidate)
    try checkChange(of: level)
    var entry = level.entries[plan.service] ?? Entry()
    if !allowsRewriting, entry.all.contains(where: { $0.candidate?.id == candidate?.id }) { throw .alreadyRegistered }
    if let candidate {
      entry.candidates.removeAll { $0.candidate?.id == candidate.id }
      let next = entry.candidates.firstIndex { ($0.candidate?.priority ?? 0) < candidate.priority }
      entry.candidates.insert(new, at: next ?? entry.candidates.count)
    } else {
      entry.plain = new
    }
    if new.given != nil { level.kept.append(Making(new, nil, in: level)) }
    replace(plan.service, by: entry, in: level)
  }

  private func unregister(_ service: Int, _ candidate: String?, in level: Level) throws(Refusal) {
    try checkChange(of: level)
    guard let old = level.entries[service] else {
      throw candidate == nil ? absence(of: service, Services.takesArgument(service), from: level) : .notRegistered
    }
    guard let candidate else { return replace(service, by: nil, in: level) }
    let rest = Entry(plain: old.plain, candidates: old.candidates.filter { $0.candidate?.id != candidate })
    if rest.candidates.count == old.candidates.count { throw .notRegistered }
    replace(service, by: rest.all.isEmpty ? nil : rest, in: level)
  }

  /// Releases the instances of ended registrations, and in a scope, of those that it has inherited until now.
  private func replace(_ service: Int, by new: Entry?, in level: Level) {
    let old = level.entries[service]
    level.entries[service] = new
    let isSameChoice = old?.candidates.isEmpty == false && new?.candidates.isEmpty == false
    release(in: level) { one in
      let isOld = old?.all.contains { $0 === one } == true || !isSameChoice && one.plan.service == service
      return isOld && new?.all.contains { $0 === one } != true
    }
  }

  private func decorate(_ service: Int, _ needs: [Need], in level: Level) throws(Refusal) {
    try checkChange(of: level)
    let new = (number: level.decorators.values.joined().count + 1, needs: needs)
    var inherited: Plan?
    if let own = level.entries[service] {
      if own.plain?.plan.life == .provided { throw .notRegistered }
      if own.all.contains(where: { one in one.isUsed || level.begun.contains { $0 === one } }) { throw .instanceExists }
      for one in own.all { one.decorators.append(new) }
    } else if let parent = level.parent {
      let entry = try find(service, hasArgument: Services.takesArgument(service), from: parent)
      guard let entry, entry.candidates.isEmpty, let plain = entry.plain, plain.plan.life != .provided else {
        throw .notRegistered
      }
      if level.begun.contains(where: { $0 === plain }) { throw .instanceExists }
      inherited = Plan(service, inheritedLife(plain.plan.life, in: level))
    }
    level.decorators[service, default: []].append(new)
    if let inherited {
      level.entries[service] = Entry(plain: Registration(inherited, level, nil, nil, isInheriting: true))
    }
  }

  /// The lifetime of a decorated service in a scope: an instance that is kept further out becomes one for this scope.
  private func inheritedLife(_ life: Plan.Life, in level: Level) -> Plan.Life {
    switch life {
    case .singleton: .lazySingleton
    case .scopedIn(let name): level.levels.contains { $0.name == name } ? .lazySingleton : life
    default: life
    }
  }

  private func reset(_ level: Level, where isMeant: (Registration) -> Bool) {
    release(in: level) { $0.given == nil && isMeant($0) }
    for one in level.entries.values.flatMap(\.all) where isMeant(one) { one.weakInstance = nil }
  }

  /// Releases instances of a level in the reverse order of their construction.
  func release(in level: Level, where isMeant: (Registration) -> Bool) {
    var gone = level.kept.filter { isMeant($0.registration) }
    level.kept.removeAll { isMeant($0.registration) }
    level.begun.removeAll(where: isMeant)
    while let last = gone.popLast() {
      close(last)
      let registration = last.registration
      let isRead = registration.plan.life == .lazySingleton && last.argument == nil || registration.given != nil
      guard level.isSealed, registration.level === level, isRead else { continue }
      level.retired += [registration.given, last.outer].compactMap(\.self)
    }
  }

  func close(_ one: Making) {
    let life = one.registration.plan.life
    let isClosable = one.registration.isKept && life != .weakSingleton && !one.registration.isInheriting
    if isClosable, one.argument == nil, let inner = one.inner { ledger.note("close \(inner)") }
  }
}
