extension ServiceGraph {
  package func report(_ strictness: Injector.Strictness) -> ValidationReport {
    found = []
    for part in parts { findUndeclared(part) }
    findMissing()
    for service in services {
      guard let order = service.cell.selector?.order else { continue }
      findChoices(among: order, of: service)
      findOrders(of: order, service)
      findNames(in: order, of: service)
    }
    findCycles()
    findPoints()
    findCaptives()
    let opaque = parts.filter { !$0.hiding.isEmpty }
    if strictness == .strict { for part in opaque { add(.opaque, part.registration, part.hiding) } }
    let sorted = sortedFindings
    return ValidationReport(
      injector: levels[0].path, serviceCount: services.count, problems: sorted.filter { !$0.isWarning }.map(\.problem),
      warnings: sorted.filter(\.isWarning).map(\.problem),
      opaque: opaque.map { name(of: $0.registration) }.sorted())
  }

  /// The findings in the order of their kinds, then of their names.
  private var sortedFindings: [(problem: ValidationReport.Problem, isWarning: Bool)] {
    let kinds: [ValidationReport.Problem.Kind] = [
      .missing, .circular, .circularRules, .circularOrder, .unknownCandidate, .captive, .noCandidate,
      .ambiguousPoint, .unreachable, .unknownPoint, .unknownOrder, .contextMissing, .undeclared, .opaque,
    ]
    let names = found.map { found in
      let kind = kinds.firstIndex(of: found.problem.kind) ?? 0
      return "\(kind + 10)\(found.problem.subject)\0\(found.problem.details.last ?? "")"
    }
    return alphabeticalOrder(of: names).map { found[$0] }
  }

  private func add(
    _ kind: ValidationReport.Problem.Kind, _ subject: String, _ details: [String], _ location: CodeLocation,
    isWarning: Bool = false
  ) {
    let problem = ValidationReport.Problem(kind: kind, subject: subject, details: details, registeredAt: location)
    found.append((problem, isWarning))
  }

  private func add(
    _ kind: ValidationReport.Problem.Kind, _ registration: Registration, _ details: [String], isWarning: Bool = false
  ) {
    add(kind, name(of: registration), details, registration.location, isWarning: isWarning)
  }

  func name(of registration: Registration) -> String { names.name(of: registration) }

  private func names(of registrations: [Registration]) -> [String] { registrations.map { name(of: $0) }.distinct }

  /// The registrations of the parts that need a service, in alphabetical order.
  ///
  /// - Parameter target: The service; `nil` if it is not registered.
  private func askers(of target: Int?, where isAsker: (Edge) -> Bool = \.isNeeded) -> [Registration] {
    var found: [Registration] = []
    for part in parts {
      for edge in part.edges where edge.target == target && isAsker(edge) { found.append(part.registration) }
    }
    return alphabeticalOrder(of: found.map { name(of: $0) }).map { found[$0] }
  }

  private func findMissing() {
    var missing: Set<Key> = []
    for edge in parts.flatMap(\.edges) where edge.target == nil && !edge.isOptional {
      let key = edge.need.key
      guard missing.insert(key).inserted else { continue }
      let needing = askers(of: nil) { $0.need.key == key && $0.isNeeded }
      // Requests that a recorded run made in vain and did without.
      let askers = needing.isEmpty ? askers(of: nil) { $0.need.key == key && !$0.isOptional } : needing
      add(.missing, names.name(of: key), names(of: askers), askers[0].location, isWarning: needing.isEmpty)
    }
  }

  /// Finds a part that declares its dependencies and has requested others. The requests of a decorator cannot be
  /// declared.
  private func findUndeclared(_ part: Part) {
    let recipe = part.registration.recipe
    guard case .declared(let keys) = recipe.needs, recipe.extras?.values.wraps.isEmpty ?? true else { return }
    func isUndeclared(_ need: Need) -> Bool {
      if need.origin == .recorded { return true }
      return need.origin == .configured && !keys.contains(need.key)
    }
    let others = part.edges.map(\.need).filter(isUndeclared)
    if !others.isEmpty { add(.undeclared, part.registration, others.map { names.name(of: $0.key) }.distinct) }
  }

  /// Finds the problems of the candidates of a service.
  private func findChoices(among order: CandidateOrdering, of service: Service) {
    let registration = service.cell.registration
    if order.contextType != Injector.self, service.context == nil {
      let askers = askers(of: service.index) {
        !$0.need.givesContext && $0.need.isAnswered && $0.need.place != .scope
      }
      add(
        .contextMissing, registration, [typeName(order.contextType)] + names(of: askers), isWarning: askers.isEmpty)
    }
    var (winner, priorities): (String?, [Int]) = (nil, [])
    var isImpossible = true
    for entry in order.entries {
      let (candidate, constant, priority) = (entry.cell.registration, entry.constant, entry.priority)
      if constant == false {
        add(.unreachable, candidate, ["its rule is never satisfied"], isWarning: true)
        continue
      }
      isImpossible = false
      if let winner {
        if entry.isDrawn, priorities.contains(priority) { continue }
        let reason = winner + " comes before it and always applies, so only getAll returns it"
        add(.unreachable, candidate, [reason], isWarning: true)
      } else {
        // One of the candidates with a weight and this priority is drawn.
        if entry.isDrawn { priorities.append(priority) }
        if constant == true { winner = entry.id }
      }
    }
    let askers = isImpossible ? askers(of: service.index) : []
    if !askers.isEmpty { add(.noCandidate, registration, names(of: askers)) }
  }

  /// Finds names from outside of the program that no candidate has.
  private func findNames(in order: CandidateOrdering, of service: Service) {
    var seen: [String] = []
    for mention in order.mentions {
      guard let names = mention.names, !seen.contains(mention.description) else { continue }
      seen.append(mention.description)
      let ids = order.entries.map(\.id)
      for name in names.known(levels[0]) where !ids.contains(name) {
        let nearest = Spelling.nearest(to: name, among: ids, name: \.self).min()
        add(
          .unknownCandidate, "\(names.role) \(quoted(name)) of \(mention)",
          [self.name(of: service.cell.registration)] + [nearest].compactMap(\.self), service.cell.registration.location)
      }
    }
  }

  private func findOrders(of order: CandidateOrdering, _ service: Service) {
    guard let sort = order.sort else { return }
    let registration = service.cell.registration
    for cycle in sort.cycles { add(.circularOrder, registration, cycle) }
    for (candidate, id) in sort.ids.enumerated() {
      let unknown = sort.unknown.filter { $0.candidate == candidate }.map(\.id)
      if unknown.isEmpty { continue }
      let name = names.name(of: registration.key, candidate: id)
      add(.unknownOrder, name, unknown.distinct, registration.location, isWarning: true)
    }
  }

  private func findCycles() {
    findCycles(.circular) { service in
      var targets = service.context.map { [$0] } ?? []
      for edge in service.parts.flatMap(\.edges) where edge.need.isAnswered && edge.need.origin != .configured {
        guard let index = edge.target else { continue }
        let target = services[index]
        // One service represents all arguments, and another context may select another candidate.
        if target.cell.registration.maker != nil || edge.need.givesContext && target.cell.selector != nil { continue }
        // A scope makes its own instances of services that it has registered.
        if edge.need.place == .scope, target.parts.contains(where: { $0.keeper == nil }) { continue }
        targets.append(index)
      }
      return targets
    }
  }

  private func findCycles(_ kind: ValidationReport.Problem.Kind, _ targets: (Service) -> [Int]) {
    for cycle in cycles(along: services.map(targets)) {
      let path = cycle.map { services[$0].cell.registration }
      add(kind, path[0], path.map { name(of: $0) })
    }
  }

  /// Finds points with the same id, and rules that refer to a missing point or candidate, or to each other in a cycle.
  private func findPoints() {
    var (points, registered): ([String: [Int]], [String: [Registration]]) = ([:], [:])
    for service in services {
      guard let selector = service.cell.selector else { continue }
      let ids = selector.pointIDs
      for id in ids { points[id, default: []].append(service.index) }
      if selector.pointLocation != nil { registered[ids[0], default: []].append(service.cell.registration) }
    }
    for (id, found) in registered where found.contains(where: { $0.key != found[0].key }) {
      // One point may be registered under several tags.
      let isWarning = found.allSatisfy { $0.key.type == found[0].key.type }
      let first = found.min { $0.key.fullName < $1.key.fullName } ?? found[0]
      add(.ambiguousPoint, quoted(id), found.map(\.key.fullName).distinct, first.location, isWarning: isWarning)
    }
    var unknown: [String: [Registration]] = [:]
    findCycles(.circularRules) { service in
      var targets: [Int] = []
      for need in service.cell.selector?.order.conditions.compactMap(\.prerequisite) ?? [] {
        let reached = points[need.point] ?? []
        targets += reached
        if reached.contains(where: { services[$0].parts.contains { $0.id == need.candidate } }) { continue }
        let point = "point \(quoted(need.point))"
        let subject = reached.isEmpty ? point : "candidate \(quoted(need.candidate)) at " + point
        unknown[subject, default: []].append(service.cell.registration)
      }
      return targets
    }
    for (subject, askers) in unknown {
      add(.unknownPoint, subject, names(of: askers), askers[0].location, isWarning: true)
    }
  }

  /// Finds the paths from an instance that an injector keeps to an instance that a scope further in keeps.
  private func findCaptives() {
    // The edges that lead to a scoped instance through instances that no injector keeps.
    var open: [[Int]] = Array(repeating: [], count: services.count)
    for part in parts where !part.registration.lifetime.isKept {
      open[part.service] += part.edges.compactMap(\.capturable)
    }
    let scoped = parts.filter { $0.registration.lifetime == .scoped }.map(\.service)
    if scoped.isEmpty { return }
    let exposed = Self.walk(from: scoped, along: Self.reversed(open))
    var seen = Array(repeating: -1, count: services.count)
    for (number, keeper) in parts.enumerated() where keeper.registration.lifetime != .scoped {
      guard let depth = depth(of: keeper) else { continue }
      var ways = [[keeper]]
      var next = 0
      while next < ways.count {
        let way = ways[next]
        next += 1
        for target in way[way.count - 1].edges.compactMap(\.capturable)
        where exposed[target] != -1 && seen[target] != number {
          seen[target] = number
          for part in services[target].parts {
            let kept = self.depth(of: part)
            if kept == nil { ways.append(way + [part]) }
            guard let kept, kept > depth else { continue }
            add(.captive, keeper.registration, (way + [part]).map { $0.registration.nameInChain(names) })
          }
        }
      }
    }
  }
}

extension [String] {
  /// The distinct texts, in alphabetical order.
  @inline(never)
  var distinct: [String] {
    var texts: [String] = []
    for text in sorted() where text != texts.last { texts.append(text) }
    return texts
  }
}
