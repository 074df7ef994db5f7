extension GraphAnalysis {
  /// All problems and warnings, sorted by kind and name.
  func report(_ validation: Injector.Validation) -> ValidationReport {
    let (missing, contextless) = (missing(), contextless())
    return ValidationReport(
      injector: levels.first?.path, serviceCount: services.count,
      problems: problems(missing.problems, contextless) + (validation == .complete ? opaque() : []),
      warnings: missing.warnings + unreachable() + unknownPoints() + unknownOrders()
        + contextless.filter { $0.details.count == 1 },
      opaque: parts.filter(\.isOpaque).map(\.cell.declaration.name).sorted())
  }

  /// Whether there are problems. It takes less time than the report, which has names of what is valid.
  func hasProblems(_ validation: Injector.Validation) -> Bool {
    validation == .complete && parts.contains(where: \.isOpaque)
      || !problems(missing().problems, contextless()).isEmpty
  }

  private func problems(
    _ missing: [ValidationReport.Problem], _ contextless: [ValidationReport.Problem]
  ) -> [ValidationReport.Problem] {
    missing + circular() + circularRules() + circularOrders() + unknownCandidates() + captive() + candidateless()
      + contextless.filter { $0.details.count > 1 } + undeclared()
  }

  /// Services that are needed but not registered, and those that a run requested in vain and did without.
  private func missing() -> (problems: [ValidationReport.Problem], warnings: [ValidationReport.Problem]) {
    var (needed, tried): ([ServiceKey: [Part]], [ServiceKey: [Part]]) = ([:], [:])
    for part in parts {
      for edge in part.edges where edge.target == nil && !edge.isOptional {
        if edge.isNeeded {
          needed[edge.dependency.key, default: []].append(part)
        } else {
          tried[edge.dependency.key, default: []].append(part)
        }
      }
    }
    return (problems(.missing, needed), problems(.missing, tried.filter { needed[$0.key] == nil }))
  }

  /// A problem for each service, sorted by name.
  private func problems(
    _ kind: ValidationReport.Problem.Kind, _ askers: [ServiceKey: [Part]]
  ) -> [ValidationReport.Problem] {
    askers.map { key, parts in problem(kind, key.name, neededBy: parts) }.sorted { $0.subject < $1.subject }
  }

  /// The circular dependencies.
  private func circular() -> [ValidationReport.Problem] {
    cycles().map { path in
      ValidationReport.Problem(
        kind: .circular, subject: name(of: path[0]), details: path.map(name), registeredAt: location(of: path[0]))
    }.sorted { $0.subject < $1.subject }
  }

  /// The captive dependencies.
  private func captive() -> [ValidationReport.Problem] {
    captives().map { path in
      ValidationReport.Problem(
        kind: .captive, subject: path[0].cell.declaration.name, details: path.map(description),
        registeredAt: path[0].cell.location)
    }.sorted { ($0.subject, $0.details.last ?? "") < ($1.subject, $1.details.last ?? "") }
  }

  /// Services whose candidates are selected by a context that is not registered, with those that request them without
  /// one.
  private func contextless() -> [ValidationReport.Problem] {
    let found = services.indices.filter {
      services[$0].context == nil && services[$0].choice?.needsRegistration == true
    }
    let askers = askers(of: found) { edge in
      !edge.dependency.givesContext && edge.dependency.isAnswered && edge.dependency.place != .scope
    }
    return found.compactMap { index -> ValidationReport.Problem? in
      guard let choice = services[index].choice else { return nil }
      return ValidationReport.Problem(
        kind: .contextMissing, subject: name(of: index),
        details: [choice.context.name] + names(of: askers[index] ?? []), registeredAt: location(of: index))
    }.sorted { $0.subject < $1.subject }
  }

  /// Services that are needed and have candidates, none of which can ever apply.
  private func candidateless() -> [ValidationReport.Problem] {
    let found = services.indices.filter { services[$0].choice?.constants.allSatisfy { $0 == false } == true }
    return askers(of: found, where: \.isNeeded).map { index, askers in
      ValidationReport.Problem(
        kind: .noCandidate, subject: name(of: index), details: names(of: askers), registeredAt: location(of: index))
    }.sorted { $0.subject < $1.subject }
  }

  /// The parts that depend on any of the given services.
  private func askers(of services: [Int], where isMeant: (Edge) -> Bool) -> [Int: [Part]] {
    if services.isEmpty { return [:] }
    let services = Set(services)
    var askers: [Int: [Part]] = [:]
    for part in parts {
      for edge in part.edges {
        guard let target = edge.target, services.contains(target), isMeant(edge) else { continue }
        askers[target, default: []].append(part)
      }
    }
    return askers
  }

  /// Parts that declare their dependencies, and have requested others.
  private func undeclared() -> [ValidationReport.Problem] {
    parts.compactMap { part -> ValidationReport.Problem? in
      // The code that declares dependencies cannot know what a decorator requests.
      if !part.isDeclared || !part.cell.decorators.isEmpty { return nil }
      let others = part.edges.filter { $0.source == .recorded || $0.source == .configure && !isDeclared($0, by: part) }
      if others.isEmpty { return nil }
      return ValidationReport.Problem(
        kind: .undeclared, subject: part.cell.declaration.name,
        details: Set(others.map(\.dependency.key.name)).sorted(),
        registeredAt: part.cell.location)
    }.sorted { $0.subject < $1.subject }
  }

  /// Whether a part declares the dependency of one of its edges.
  private func isDeclared(_ edge: Edge, by part: Part) -> Bool {
    part.edges.contains { $0.source == .declared && $0.dependency.key == edge.dependency.key }
  }

  /// Parts whose dependencies are unknown, with what hides them.
  private func opaque() -> [ValidationReport.Problem] {
    parts.filter(\.isOpaque).map { part in
      ValidationReport.Problem(
        kind: .opaque, subject: part.cell.declaration.name, details: hiding(part), registeredAt: part.cell.location)
    }.sorted { $0.subject < $1.subject }
  }

  /// What hides dependencies of a part.
  private func hiding(_ part: Part) -> [String] {
    let cell = part.cell
    var closures = cell.hasRun ? [] : cell.decorators.map { "the decorator \($0)" }
    if cell.needsSetup, !cell.hasBeenConfigured { closures.insert("its configure closure", at: 0) }
    if case .opaque = cell.knowledge, !cell.hasRun {
      closures.insert(cell.loadable == nil ? "its closure with arguments" : "its closure", at: 0)
    }
    return closures
  }

  /// Candidates that can never be selected, because their rule never holds or one before them always applies.
  private func unreachable() -> [ValidationReport.Problem] {
    services.flatMap { service -> [ValidationReport.Problem] in
      guard let choice = service.choice else { return [] }
      var winner: Part?
      var rivals: Set<Int> = []
      return zip(service.parts.map { parts[$0] }, zip(choice.constants, choice.rivals)).compactMap { part, rule in
        let (constant, priority) = rule
        defer {
          if winner == nil, constant != false, let priority { rivals.insert(priority) }
          if winner == nil, constant == true { winner = part }
        }
        let reason: String
        if constant == false {
          reason = "its rule is never satisfied"
        } else if let winner, priority.map(rivals.contains) != true {
          reason =
            "\(winner.cell.declaration.candidate ?? Fallback.id) comes before it and always applies, "
            + "so only getAll returns it"
        } else {
          return nil
        }
        return ValidationReport.Problem(
          kind: .unreachable, subject: part.cell.declaration.name, details: [reason], registeredAt: part.cell.location)
      }
    }.sorted { $0.subject < $1.subject }
  }

  /// A problem of a service that several parts need; its location is that of the first of them by name.
  private func problem(
    _ kind: ValidationReport.Problem.Kind, _ subject: String, neededBy parts: [Part]
  ) -> ValidationReport.Problem {
    let first = parts.min { $0.cell.declaration.name < $1.cell.declaration.name }
    return ValidationReport.Problem(
      kind: kind, subject: subject, details: names(of: parts),
      registeredAt: first?.cell.location ?? CodeLocation(fileID: #fileID, line: #line))
  }

  /// The names of parts, sorted, each once.
  private func names(of parts: [Part]) -> [String] {
    Set(parts.map(\.cell.declaration.name)).sorted()
  }
}
