// Requests.
extension ReferenceModel {
  func request(_ need: Need, from level: Level) throws(Refusal) -> Outcome {
    switch need {
    case .get(let service): return .one(try winner(service, nil, in: level, for: level))
    case .with(let service, let argument): return .one(try winner(service, argument, in: level, for: level))
    case .optional(let service):
      // The optional type itself may be registered anywhere.
      if level.levels.contains(where: \.isClosed) { throw .closed }
      guard let entry = try find(service, hasArgument: false, from: level), let first = try applicable(entry).first
      else {
        return .absent
      }
      return .one(try provide(first, nil, for: level))
    case .all(let service): return .all(try all(service, in: level, for: level) ?? [])
    case .inherited(let service):
      var (parts, isWrapped): ([any Part], Bool) = ([], false)
      for outer in level.levels {
        if outer.isClosed { throw .closed }
        guard !Services.takesArgument(service), let entry = outer.entries[service] else { continue }
        if !isWrapped { for one in try applicable(entry) { parts.append(try provide(one, nil, for: level)) } }
        isWrapped = entry.plain?.isInheriting == true
      }
      return .all(parts)
    case .fromOutermost(let need): return try request(need, from: asked ?? level)
    case .attempt(let need):
      do throws(Refusal) { return try request(need, from: level) } catch { return .refused(error.rawValue) }
    }
  }

  private func outcomes(_ needs: [Need], from level: Level) throws(Refusal) -> [Outcome] {
    var outcomes: [Outcome] = []
    for need in needs { outcomes.append(try request(need, from: level)) }
    return outcomes
  }

  /// What the innermost injector that has registered the service has registered.
  func find(_ service: Int, hasArgument: Bool, from level: Level) throws(Refusal) -> Entry? {
    for level in level.levels {
      if level.isClosed { throw .closed }
      if hasArgument == Services.takesArgument(service), let found = level.entries[service] { return found }
    }
    return nil
  }

  func absence(of service: Int, _ hasArgument: Bool, from level: Level) -> Refusal {
    let isRegistered = level.levels.contains { $0.entries[service] != nil }
    return isRegistered && hasArgument != Services.takesArgument(service) ? .argumentsMismatch : .notRegistered
  }

  /// The least depth of an injector that keeps an instance which is being made; the greatest number if there is none.
  private var keeper: Int { frames.filter { $0.making.registration.isKept }.map(\.making.level.depth).min() ?? .max }

  /// The implementations that apply. What lives longer than a scope gets nothing that the scope has registered.
  private func applicable(_ entry: Entry) throws(Refusal) -> [Registration] {
    if let level = entry.all.first?.level, keeper < level.depth { throw .captiveDependency }
    return entry.all.filter { one in one.candidate?.gate.map { ledger.isOn(.gate($0)) } ?? true }
  }

  private func winner(
    _ service: Int, _ argument: Int?, in outer: Level, for level: Level
  ) throws(Refusal) -> any Part {
    guard let entry = try find(service, hasArgument: argument != nil, from: outer) else {
      throw absence(of: service, argument != nil, from: outer)
    }
    guard let first = try applicable(entry).first else { throw .noCandidate }
    return try provide(first, argument, for: level)
  }

  /// All implementations that apply. The contributions of a scope are added to the inherited ones.
  private func all(_ service: Int, in first: Level, for level: Level) throws(Refusal) -> [any Part]? {
    guard let entry = try find(service, hasArgument: false, from: first) else { return nil }
    var parts: [any Part] = []
    for one in try applicable(entry) { parts.append(try provide(one, nil, for: level)) }
    let hasOnlyContributions = entry.plain == nil && entry.candidates.allSatisfy { $0.candidate?.gate == nil }
    guard hasOnlyContributions, let outer = entry.candidates.first?.level.parent else { return parts }
    return (try all(service, in: outer, for: level) ?? []) + parts
  }

  private func provide(_ one: Registration, _ argument: Int?, for level: Level) throws(Refusal) -> any Part {
    let owner: Level? =
      switch one.plan.life {
      case .singleton, .lazySingleton, .weakSingleton: one.level
      case .scoped, .provided: level.depth > 0 ? level : nil
      case .scopedIn(let name): level.levels.first { $0.name == name }
      case .graph, .factory: level
      }
    guard let owner else { throw keeper < .max ? .captiveDependency : .scopeRequired }
    if one.isKept, keeper < owner.depth { throw .captiveDependency }
    if owner.isClosed { throw .closed }
    let pool = one.plan.life == .graph ? shared : owner.kept
    let known = pool.first { $0.registration === one && $0.argument == argument && $0.level === owner }
    if let part = known?.outer ?? one.weakInstance { return part }
    let outer = frames.firstIndex { making, isConfiguring in
      !isConfiguring && making.registration === one && making.level === owner && making.argument == argument
    }
    // With arguments, a service that nobody keeps may need itself.
    if let outer, argument == nil || one.isKept {
      putAside(until: outer)
      throw .circularDependency
    }
    if one.isKept, one.given == nil || one.plan.links != nil || !one.decorators.isEmpty { owner.begun.append(one) }
    if one.isKept, argument != nil || owner !== one.level { one.isUsed = true }
    return try make(known ?? Making(one, argument, in: owner))
  }

  /// Puts the configuration aside that has requested an instance which is being made around it.
  private func putAside(until outer: Int) {
    guard let inner = frames[outer...].last(where: \.isConfiguring)?.making else { return }
    // An unshared instance inside of another run of its configuration would lead to another one.
    let isEndless =
      !inner.registration.isKept
      && frames.contains { other, isConfiguring in
        isConfiguring && other !== inner && other.runs > 1 && other.registration === inner.registration
          && other.level === inner.level
      }
    if !isEndless { inner.stage = .aside(until: outer) }
  }

  private func make(_ one: Making) throws(Refusal) -> any Part {
    let (first, firstShared) = (unfinished.count, shared.count)
    defer { if frames.isEmpty { shared = [] } }
    do throws(Refusal) {
      let outer = try run(one)
      while let next = unfinished.first(where: { $0.isAside(until: frames.count) }) { try configure(next) }
      return outer
    } catch {
      giveUp(from: first, firstShared)
      throw error
    }
  }

  private func run(_ one: Making) throws(Refusal) -> any Part {
    let (registration, plan) = (one.registration, one.registration.plan)
    frames.append((one, false))
    defer { frames.removeLast() }
    let outer = try construct(one)
    (one.outer, one.stage) = (outer, .finished)
    switch plan.life {
    case .graph: shared.append(one)
    case .weakSingleton: registration.weakInstance = outer
    case .factory: break
    default: if registration.given == nil { one.level.kept.append(one) }
    }
    if plan.links != nil || registration.isKept && !unfinished.isEmpty { unfinished.append(one) }
    if plan.links != nil { try configure(one) }
    return outer
  }

  /// Runs the factory, and then the decorators.
  private func construct(_ one: Making) throws(Refusal) -> any Part {
    let (registration, plan, level) = (one.registration, one.registration.plan, one.level)
    if plan.life == .provided { throw .notRegistered }
    if registration.isInheriting, let parent = registration.level.parent {
      one.inner = try winner(plan.service, one.argument, in: parent, for: level)
    } else if registration.given == nil {
      ledger.note("make \(plan.service) in \(level.number)")
      try check(.factory(plan.service))
      let new = instance(plan, try outcomes(plan.needs, from: level))
      ledger.note("\(new) is \(plan.service) with \(new.origin.needs)")
      one.inner = new
    }
    guard var part = one.inner else { fatalError() }
    do throws(Refusal) {
      for (number, needs) in registration.decorators {
        ledger.note("decorate \(part) by \(number) in \(level.number)")
        try check(.decorators(plan.service))
        part = Kind<Never>(Origin(ledger, try outcomes(needs, from: level), around: part))
        ledger.note("\(part) has \(part.origin.needs)")
      }
    } catch {
      if registration.given == nil { close(one) }
      throw error
    }
    return part
  }

  private func check(_ fault: Operation.Switch) throws(Refusal) {
    do throws(Failure) { try ledger.check(fault) } catch { throw .constructionFailed }
  }

  func instance(_ plan: Plan, _ needs: [Outcome]) -> any Part {
    let part = Kind<Never>(Origin(ledger, needs))
    if plan.links != nil { ledger.setConfigured(part.origin.number, false) }
    return part
  }

  private func configure(_ one: Making) throws(Refusal) {
    guard let inner = one.inner else { return }
    (one.stage, one.runs) = (.configuring, one.runs + 1)
    frames.append((one, true))
    defer { frames.removeLast() }
    do throws(Refusal) {
      ledger.note("configure \(inner) in \(one.level.number)")
      try check(.configuration(one.registration.plan.service))
      let links = try outcomes(one.registration.plan.links ?? [], from: one.level)
      ledger.setConfigured(inner.origin.number, true)
      ledger.note("\(inner) is configured with \(links)")
    } catch {
      if one.isAside(until: 0) { return }
      one.stage = .failed
      throw error
    }
    if one.isAside(until: 0) { return }
    one.stage = .finished
    if unfinished.allSatisfy(\.isFinished) { unfinished = [] }
  }

  /// Releases the instances of a level that has failed, if they may refer to one that will not be configured.
  private func giveUp(from first: Int, _ firstShared: Int) {
    let start = min(first, unfinished.count)
    let failed = unfinished[start...].firstIndex { $0.hasFailed || $0.isAside(until: frames.count) }
    guard let failed = frames.isEmpty ? 0 : failed else { return }
    let gone = Array(unfinished[failed...])
    unfinished.removeSubrange(failed...)
    shared.removeSubrange(min(firstShared, shared.count)...)
    for one in gone.reversed() where one.registration.isKept {
      (one.outer, one.registration.weakInstance) = (nil, nil)
      if one.registration.given != nil { continue }
      one.level.kept.removeAll { $0 === one }
      close(one)
    }
  }
}
