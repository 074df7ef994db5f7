extension Survey {
  /// Everything that is wrong, sorted by kind and name.
  func report() -> ValidationReport {
    let contextless = contextless()
    return ValidationReport(
      injector: levels.first?.path, serviceCount: services.count,
      problems: missing() + circular() + captive() + contextless.filter { $0.details.count > 1 } + undeclared(),
      warnings: unreachable() + contextless.filter { $0.details.count == 1 },
      opaque: parts.filter(\.isOpaque).map(\.cell.subject.name).sorted())
  }

  private func missing() -> [ValidationReport.Problem] {
    var askers: [ServiceKey: [Part]] = [:]
    for part in parts {
      for edge in part.edges where edge.target == nil && !edge.dependency.isOptional {
        askers[edge.dependency.key, default: []].append(part)
      }
    }
    return askers.map { key, parts in problem(.missing, key.name, neededBy: parts) }.sorted { $0.subject < $1.subject }
  }

  private func circular() -> [ValidationReport.Problem] {
    cycles().map { path in
      ValidationReport.Problem(
        kind: .circular, subject: name(of: path[0]), details: path.map(name), registeredAt: site(of: path[0]))
    }.sorted { $0.subject < $1.subject }
  }

  private func captive() -> [ValidationReport.Problem] {
    captives().map { path in
      ValidationReport.Problem(
        kind: .captive, subject: path[0].cell.subject.name, details: path.map(description),
        registeredAt: path[0].cell.site)
    }.sorted { ($0.subject, $0.details.last ?? "") < ($1.subject, $1.details.last ?? "") }
  }

  /// Services that a context chooses and there is none, with those who ask without giving one.
  private func contextless() -> [ValidationReport.Problem] {
    services.enumerated().compactMap { index, service -> ValidationReport.Problem? in
      guard let choice = service.choice, service.context == nil, choice.needsRegistration else { return nil }
      let askers = parts.filter { part in
        part.edges.contains { $0.target == index && !$0.dependency.givesContext }
      }
      return ValidationReport.Problem(
        kind: .contextMissing, subject: name(of: index), details: [choice.context.name] + names(of: askers),
        registeredAt: site(of: index))
    }.sorted { $0.subject < $1.subject }
  }

  private func undeclared() -> [ValidationReport.Problem] {
    parts.compactMap { part -> ValidationReport.Problem? in
      // What a decorator asks for is nothing that the one who declares could know.
      if !part.isDeclared || !part.cell.decorators.isEmpty { return nil }
      let others = part.edges.filter { $0.source == .recorded || $0.source == .configure && !isDeclared($0, by: part) }
      if others.isEmpty { return nil }
      return ValidationReport.Problem(
        kind: .undeclared, subject: part.cell.subject.name, details: others.map(\.dependency.key.name).sorted(),
        registeredAt: part.cell.site)
    }.sorted { $0.subject < $1.subject }
  }

  private func isDeclared(_ edge: Edge, by part: Part) -> Bool {
    part.edges.contains { $0.source == .declared && $0.dependency.key == edge.dependency.key }
  }

  private func unreachable() -> [ValidationReport.Problem] {
    services.flatMap { service -> [ValidationReport.Problem] in
      guard let choice = service.choice else { return [] }
      var winner: Part?
      return zip(service.parts.map { parts[$0] }, choice.verdicts).compactMap { part, verdict in
        defer { if winner == nil, verdict == true { winner = part } }
        let reason: String
        if verdict == false {
          reason = "its rule is never satisfied"
        } else if let winner {
          reason =
            "\(winner.cell.subject.candidate ?? Fallback.id) comes before it and always applies, "
            + "so that only getAll gives it"
        } else {
          return nil
        }
        return ValidationReport.Problem(
          kind: .unreachable, subject: part.cell.subject.name, details: [reason], registeredAt: part.cell.site)
      }
    }.sorted { $0.subject < $1.subject }
  }

  private func problem(
    _ kind: ValidationReport.Problem.Kind, _ subject: String, neededBy parts: [Part]
  ) -> ValidationReport.Problem {
    let first = parts.min { $0.cell.subject.name < $1.cell.subject.name }
    return ValidationReport.Problem(
      kind: kind, subject: subject, details: names(of: parts),
      registeredAt: first?.cell.site ?? CodeLocation(fileID: #fileID, line: #line))
  }

  private func names(of parts: [Part]) -> [String] {
    Set(parts.map(\.cell.subject.name)).sorted()
  }
}
