extension GraphAnalysis {
  /// Services whose rules ask, in a circle, what is selected.
  func circularRules() -> [ValidationReport.Problem] {
    if services.allSatisfy({ $0.entry.prerequisites.isEmpty }) { return [] }
    let points = points()
    let targets = services.map { service in service.entry.prerequisites.flatMap { points[$0.point] ?? [] } }
    return cycles(along: targets).map { path in
      ValidationReport.Problem(
        kind: .circularRules, subject: name(of: path[0]), details: path.map(name), registeredAt: location(of: path[0]))
    }.sorted { $0.subject < $1.subject }
  }

  /// Points and candidates that rules ask for, and nothing has here: a scope may have them.
  func unknownPoints() -> [ValidationReport.Problem] {
    if services.allSatisfy({ $0.entry.prerequisites.isEmpty }) { return [] }
    let ids = points().mapValues { services in
      Set(services.flatMap { self.services[$0].entry.parts }.map { $0.declaration.candidate ?? Fallback.id })
    }
    var askers: [String: [Int]] = [:]
    for (index, service) in services.enumerated() {
      for need in Set(service.entry.prerequisites) where ids[need.point]?.contains(need.candidate) != true {
        let point = "point \(quoted(need.point))"
        let subject = ids[need.point] == nil ? point : "candidate \(quoted(need.candidate)) at \(point)"
        askers[subject, default: []].append(index)
      }
    }
    return askers.map { subject, services in
      ValidationReport.Problem(
        kind: .unknownPoint, subject: subject, details: Set(services.map(name)).sorted(),
        registeredAt: location(of: services[0]))
    }.sorted { $0.subject < $1.subject }
  }

  /// Names of candidates that come from outside of the program, and that no candidate of the service has.
  func unknownCandidates() -> [ValidationReport.Problem] {
    let mentioning = services.indices.compactMap { index -> (Int, [Mention])? in
      let all = services[index].entry.mentions
      return all.isEmpty ? nil : (index, all)
    }
    let problems = mentioning.flatMap { index, all -> [ValidationReport.Problem] in
      let mentions = Dictionary(grouping: all, by: \.description)
      let designations = mentions.compactMapValues { $0.lazy.compactMap(\.designation).first }
      if designations.isEmpty { return [] }
      let ids = Set(services[index].entry.parts.map { $0.declaration.candidate ?? Fallback.id })
      return designations.flatMap { source, designation in
        designation.names(levels[0]).filter { !ids.contains($0) }.map { name in
          let nearest = Spelling.nearest(to: name, among: Array(ids), name: \.self).min()
          return ValidationReport.Problem(
            kind: .unknownCandidate, subject: "\(designation.role) \(quoted(name)) of \(source)",
            details: [self.name(of: index)] + (nearest.map { [$0] } ?? []), registeredAt: location(of: index))
        }
      }
    }
    // A service that is seen from several levels counts once.
    return Set(problems).sorted { ($0.subject, $0.details[0]) < ($1.subject, $1.details[0]) }
  }

  /// Candidates that are to come after each other.
  func circularOrders() -> [ValidationReport.Problem] {
    services.indices.compactMap { index in services[index].entry.sort.map { (index, $0) } }.flatMap { index, sort in
      sort.circles.map { circle in
        ValidationReport.Problem(
          kind: .circularOrder, subject: name(of: index), details: circle, registeredAt: location(of: index))
      }
    }.sorted { $0.subject < $1.subject }
  }

  /// Candidates that are to come after or before one that there is not.
  func unknownOrders() -> [ValidationReport.Problem] {
    services.flatMap { service -> [ValidationReport.Problem] in
      guard let sort = service.entry.sort else { return [] }
      return Dictionary(grouping: sort.unknown, by: \.candidate).map { candidate, unknown in
        ValidationReport.Problem(
          kind: .unknownOrder, subject: service.entry.declaration.named(candidate: sort.ids[candidate]).name,
          details: Set(unknown.map(\.id)).sorted(),
          registeredAt: service.entry.location)
      }
    }.sorted { $0.subject < $1.subject }
  }

  /// The services that are chosen at points, by the ids of these.
  private func points() -> [String: [Int]] {
    var points: [String: [Int]] = [:]
    for (index, service) in services.enumerated() {
      for id in service.entry.pointIDs { points[id, default: []].append(index) }
    }
    return points
  }
}
