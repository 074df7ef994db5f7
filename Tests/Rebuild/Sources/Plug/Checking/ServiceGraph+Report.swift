extension ServiceGraph {
  func report(_ validation: Injector.Validation) -> ValidationReport {
    let contextless = contextless()
    let opaque = parts.filter { !$0.hiding.isEmpty }
    let hidden = opaque.map { problem(.opaque, name($0), $0.hiding, $0.registration.location) }
    return ValidationReport(
      injector: levels.first?.path, serviceCount: services.count,
      problems: nameTaken() + missing() + circular() + circularRules() + circularOrders() + captives() + candidateless()
        + contextless.filter { $0.details.count > 1 } + (validation == .complete ? sorted(hidden) : []),
      warnings: unreachable() + unknownPoints() + unknownOrders() + contextless.filter { $0.details.count == 1 },
      opaque: opaque.map(name).sorted())
  }

  private func problem(
    _ kind: ValidationReport.Problem.Kind, _ subject: String, _ details: [String], _ location: CodeLocation
  ) -> ValidationReport.Problem {
    ValidationReport.Problem(kind: kind, subject: subject, details: details, registeredAt: location)
  }

  private func sorted(_ problems: [ValidationReport.Problem]) -> [ValidationReport.Problem] {
    problems.sorted { ($0.subject, $0.details.last ?? "") < ($1.subject, $1.details.last ?? "") }
  }

  /// A name that finds another injector, and was looked up.
  private func nameTaken() -> [ValidationReport.Problem] {
    guard let injector = levels.last, let name = injector.name, let count = name.environment.contenders(with: injector),
      !name.environment.finds(injector)
    else { return [] }
    let location = injector.cells.map(\.registration.location).min { $0.description < $1.description }
    return [
      problem(
        .nameTaken, name.rawValue, ["\(count) injectors"], location ?? CodeLocation(fileID: #fileID, line: #line))
    ]
  }

  private func missing() -> [ValidationReport.Problem] {
    var askers: [Key: [Part]] = [:]
    for part in parts {
      for edge in part.edges where edge.target == nil && !edge.isOptional {
        askers[edge.need.key, default: []].append(part)
      }
    }
    return sorted(
      askers.map { key, parts in
        let first = parts.min { name($0) < name($1) }
        let location = first?.registration.location ?? CodeLocation(fileID: #fileID, line: #line)
        return problem(.missing, names.name(of: key), names(of: parts), location)
      })
  }

  private func circular() -> [ValidationReport.Problem] {
    sorted(cycles().map { problem(.circular, name(of: $0[0]), $0.map(name), location(of: $0[0])) })
  }

  private func circularRules() -> [ValidationReport.Problem] {
    let needs = prerequisites
    if needs.allSatisfy(\.isEmpty) { return [] }
    let points = points
    let targets = needs.map { needs in needs.flatMap { points[$0.point] ?? [] } }
    return sorted(
      cycles(along: targets).map { problem(.circularRules, name(of: $0[0]), $0.map(name), location(of: $0[0])) })
  }

  private func circularOrders() -> [ValidationReport.Problem] {
    sorted(
      services.indices.flatMap { index in
        (services[index].cell.selector?.sort?.circles ?? []).map {
          problem(.circularOrder, name(of: index), $0, location(of: index))
        }
      })
  }

  private func captives() -> [ValidationReport.Problem] {
    sorted(
      captivePaths().map { path in
        let names = path.map { "\(name($0)) (\($0.registration.lifetime))" }
        return problem(.captive, name(path[0]), names, path[0].registration.location)
      })
  }

  /// Services that are chosen by a context which nothing provides, with those that need them.
  private func contextless() -> [ValidationReport.Problem] {
    let found = services.indices.filter { index in
      guard let context = services[index].cell.selector?.contextType else { return false }
      return context != Injector.self && services[index].context == nil
    }
    let askers = askers(of: found) { !$0.need.givesContext }
    return sorted(
      found.map { index in
        let context = services[index].cell.selector.map { typeName($0.contextType) } ?? ""
        return problem(
          .contextMissing, name(of: index), [context] + names(of: askers[index] ?? []), location(of: index))
      })
  }

  private func candidateless() -> [ValidationReport.Problem] {
    let found = services.indices.filter { services[$0].cell.selector?.constants.allSatisfy { $0 == false } == true }
    return sorted(
      askers(of: found) { !$0.isOptional }.map { index, askers in
        problem(.noCandidate, name(of: index), names(of: askers), location(of: index))
      })
  }

  private func unreachable() -> [ValidationReport.Problem] {
    sorted(
      services.flatMap { service -> [ValidationReport.Problem] in
        guard let selector = service.cell.selector else { return [] }
        var winner: Part?
        var rivals: Set<Int> = []
        return zip(service.parts.map { parts[$0] }, zip(selector.constants, selector.rivals)).compactMap { part, rule in
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
              "\(winner.registration.candidate ?? Fallback.id) comes before it and always applies, "
              + "so only getAll returns it"
          } else {
            return nil
          }
          return problem(.unreachable, name(part), [reason], part.registration.location)
        }
      })
  }

  private func unknownPoints() -> [ValidationReport.Problem] {
    let needs = prerequisites
    if needs.allSatisfy(\.isEmpty) { return [] }
    let ids = points.mapValues { services in
      Set(services.flatMap { self.services[$0].parts }.map { parts[$0].registration.candidate ?? Fallback.id })
    }
    var askers: [String: [Int]] = [:]
    for (index, needs) in needs.enumerated() {
      for need in Set(needs) where ids[need.point]?.contains(need.candidate) != true {
        let point = "point \(quoted(need.point))"
        let subject = ids[need.point] == nil ? point : "candidate \(quoted(need.candidate)) at \(point)"
        askers[subject, default: []].append(index)
      }
    }
    return sorted(
      askers.map { subject, services in
        problem(.unknownPoint, subject, Set(services.map(name)).sorted(), location(of: services[0]))
      })
  }

  private func unknownOrders() -> [ValidationReport.Problem] {
    sorted(
      services.indices.flatMap { index -> [ValidationReport.Problem] in
        guard let sort = services[index].cell.selector?.sort else { return [] }
        let key = services[index].cell.registration.key
        return Dictionary(grouping: sort.unknown, by: \.candidate).map { candidate, unknown in
          problem(
            .unknownOrder, names.name(of: key, candidate: sort.ids[candidate]),
            Set(unknown.map(\.id)).sorted(), location(of: index))
        }
      })
  }

  private var prerequisites: [[Prerequisite]] { services.map { $0.cell.selector?.prerequisites ?? [] } }

  /// The services that are chosen at a point, by its id.
  private var points: [String: [Int]] {
    var points: [String: [Int]] = [:]
    for (index, service) in services.enumerated() {
      for id in service.cell.selector?.pointIDs ?? [] { points[id, default: []].append(index) }
    }
    return points
  }

  private func askers(of services: [Int], where isMeant: (Edge) -> Bool) -> [Int: [Part]] {
    let services = Set(services)
    var askers: [Int: [Part]] = [:]
    for part in parts {
      for edge in part.edges where isMeant(edge) {
        if let target = edge.target, services.contains(target) { askers[target, default: []].append(part) }
      }
    }
    return askers
  }

  private func names(of parts: [Part]) -> [String] { Set(parts.map(name)).sorted() }

  private func name(_ part: Part) -> String { names.name(of: part.registration) }
}

extension ServiceGraph {
  /// The ways from something that an injector keeps to something that a scope further in keeps.
  private func captivePaths() -> [[Part]] {
    let exposed = exposingServices()
    if !exposed.contains(true) { return [] }
    return parts.filter { $0.registration.lifetime != .scoped }.flatMap { keeper -> [[Part]] in
      depth(of: keeper).map { capturedPaths(of: keeper, at: $0, exposed) } ?? []
    }
  }

  /// Of each service whether a scoped instance is reached from it through what nothing keeps.
  private func exposingServices() -> [Bool] {
    var exposed = Array(repeating: false, count: services.count)
    var queue = parts.filter { $0.registration.lifetime == .scoped }.map(\.service)
    var askers: [[Int]] = Array(repeating: [], count: services.count)
    for part in parts where !part.registration.lifetime.isKept {
      for edge in part.edges { if let target = edge.target { askers[target].append(part.service) } }
    }
    while let service = queue.popLast() {
      if exposed[service] { continue }
      exposed[service] = true
      queue += askers[service]
    }
    return exposed
  }

  private func capturedPaths(of keeper: Part, at depth: Int, _ exposed: [Bool]) -> [[Part]] {
    var found: [[Part]] = []
    var seen: Set<Int> = []
    var queue = [[keeper]]
    var next = 0
    while next < queue.count {
      let path = queue[next]
      next += 1
      for edge in path[path.count - 1].edges {
        guard let target = edge.target, exposed[target], seen.insert(target).inserted else { continue }
        for part in services[target].parts.map({ parts[$0] }) {
          if let kept = self.depth(of: part) {
            if kept > depth { found.append(path + [part]) }
          } else {
            queue.append(path + [part])
          }
        }
      }
    }
    return found
  }
}
