extension ServiceGraph {
  package func report(_ validation: Injector.Validation) -> ValidationReport {
    let findings = Problems(self)
    findName(findings)
    for part in parts { findUndeclared(part, findings) }
    findAmbiguousPoints(findings)
    findMissing(findings)
    for service in services { findChoices(of: service, findings) }
    findCircles(findings)
    findPoints(findings)
    findCaptives(findings)
    var opaque: [String] = []
    for part in parts where !part.hiding.isEmpty {
      opaque.append(name(of: part.registration))
      if validation == .complete { findings.add(.opaque, part.registration, part.hiding) }
    }
    let found = findings.sorted
    return ValidationReport(
      injector: levels[0].path, serviceCount: services.count, problems: found.problems, warnings: found.warnings,
      opaque: opaque.sorted())
  }

  func name(of service: Int) -> String { name(of: services[service].cell.registration) }

  func name(of registration: Registration) -> String { names.name(of: registration) }

  private func names(of registrations: [Registration]) -> [String] { registrations.map { name(of: $0) }.distinct }

  /// A name that finds another injector, and was looked up.
  private func findName(_ findings: Problems) {
    guard let injector = levels.last, let name = injector.name, let count = name.environment.contenders(with: injector),
      !name.environment.finds(injector)
    else { return }
    let location = injector.cells.map(\.registration.location).min { $0.description < $1.description }
    findings.add(
      .nameTaken, name.rawValue, ["\(count) injectors"], location ?? CodeLocation(fileID: #fileID, line: #line))
  }

  private func findMissing(_ findings: Problems) {
    var found: [Key] = []
    for part in parts {
      for edge in part.edges where edge.target == nil && !edge.isOptional && !found.contains(edge.need.key) {
        let key = edge.need.key
        found.append(key)
        let needing = askers(of: nil, key)
        // What a run asked for in vain, and did without.
        let askers = needing.isEmpty ? askers(of: nil, key) { !$0.isOptional } : needing
        findings.add(
          .missing, names.name(of: key), names(of: askers), askers[0].location, isWarning: needing.isEmpty)
      }
    }
  }

  /// Finds a part that declares its dependencies, and has asked for others. What a decorator asks for cannot be
  /// declared.
  private func findUndeclared(_ part: Part, _ findings: Problems) {
    let recipe = part.registration.recipe
    guard case .declared(let keys) = recipe.needs, recipe.extras?.values.wraps.isEmpty ?? true else { return }
    var others: [String] = []
    for edge in part.edges {
      let need = edge.need
      guard need.origin == .recorded || need.origin == .configured && !keys.contains(need.key) else { continue }
      others.append(names.name(of: need.key))
    }
    if !others.isEmpty { findings.add(.undeclared, part.registration, others.distinct) }
  }

  private func findAmbiguousPoints(_ findings: Problems) {
    var known: [String: [Registration]] = [:]
    for service in services {
      guard let selector = service.cell.selector, selector.pointLocation != nil else { continue }
      known[selector.pointIDs.first ?? "", default: []].append(service.cell.registration)
    }
    for (id, found) in known where found.contains(where: { $0.key != found[0].key }) {
      let names = found.map { serviceName(qualifiedName($0.key.type), tag: $0.key.tag?.rawValue) }
      findings.add(.ambiguousPoint, quoted(id), names.distinct, found[0].location)
    }
  }

  /// What has a need that is not optional, in alphabetical order.
  ///
  /// - Parameters:
  ///   - key: What is needed, if there is no such service.
  ///   - isAsker: Which needs count.
  private func askers(
    of service: Int?, _ key: Key? = nil, where isAsker: (Edge) -> Bool = \.isNeeded
  ) -> [Registration] {
    var found: [Registration] = []
    for part in parts {
      for edge in part.edges where edge.target == service && (key == nil || edge.need.key == key) {
        if isAsker(edge) { found.append(part.registration) }
      }
    }
    return alphabeticalOrder(of: found.map { name(of: $0) }).map { found[$0] }
  }

  /// What is wrong with the candidates of a service.
  private func findChoices(of service: Service, _ findings: Problems) {
    let registration = service.cell.registration
    guard let selector = service.cell.selector else { return }
    if selector.contextType != Injector.self, service.context == nil {
      let askers = askers(of: service.index) {
        !$0.need.givesContext && $0.need.isAnswered && $0.need.place != .scope
      }
      findings.add(.contextMissing, registration, [typeName(selector.contextType)] + names(of: askers))
    }
    let (constants, rivals) = (selector.constants, selector.rivals)
    var (winner, priorities): (String?, [Int]) = (nil, [])
    var isImpossible = true
    for place in 0..<min(service.parts.count, constants.count, rivals.count) {
      let candidate = service.parts[place].registration
      if constants[place] == false {
        findings.add(.unreachable, candidate, ["its rule is never satisfied"])
        continue
      }
      isImpossible = false
      if let winner {
        if let priority = rivals[place], priorities.contains(priority) { continue }
        let reason = winner + " comes before it and always applies, so only getAll returns it"
        findings.add(.unreachable, candidate, [reason])
      } else {
        if let priority = rivals[place] { priorities.append(priority) }
        if constants[place] == true { winner = candidate.candidate ?? Fallback.id }
      }
    }
    let askers = isImpossible ? askers(of: service.index) : []
    if !askers.isEmpty { findings.add(.noCandidate, registration, names(of: askers)) }
    if let sort = selector.sort { findOrders(sort, registration, findings) }
    findNames(selector, service, findings)
  }

  /// Finds names that come from outside of the program and that no candidate has.
  private func findNames(_ selector: Selector, _ service: Service, _ findings: Problems) {
    var seen: [String] = []
    for mention in selector.mentions where !seen.contains(mention.description) {
      guard let names = mention.names else { continue }
      seen.append(mention.description)
      let ids = service.parts.map { $0.registration.candidate ?? Fallback.id }
      for name in names.known(levels[0]) where !ids.contains(name) {
        let nearest = Spelling.nearest(to: name, among: ids, name: \.self).min()
        findings.add(
          .unknownCandidate, "\(names.role) \(quoted(name)) of \(mention)",
          [self.name(of: service.index)] + (nearest.map { [$0] } ?? []), service.cell.registration.location)
      }
    }
  }

  private func findOrders(_ sort: CandidateSort, _ registration: Registration, _ findings: Problems) {
    for circle in sort.circles { findings.add(.circularOrder, registration, circle) }
    for (candidate, id) in sort.ids.enumerated() {
      var unknown: [String] = []
      for one in sort.unknown where one.candidate == candidate { unknown.append(one.id) }
      if unknown.isEmpty { continue }
      findings.add(
        .unknownOrder, names.name(of: registration.key, candidate: id), unknown.distinct, registration.location)
    }
  }

  private func findCircles(_ findings: Problems) {
    var targets: [[Int]] = []
    for service in services {
      var leads = service.context.map { [$0] } ?? []
      for part in service.parts {
        for edge in part.edges where edge.need.isAnswered && edge.need.origin != .configured {
          guard let target = edge.target else { continue }
          let cell = services[target].cell
          // One service stands for all arguments, and another context may select another candidate.
          if cell.registration.maker != nil || edge.need.givesContext && cell.selector != nil { continue }
          // A scope makes its own instances from what it has registered.
          if edge.need.place == .scope, services[target].parts.contains(where: { $0.keeper == nil }) { continue }
          leads.append(target)
        }
      }
      targets.append(leads)
    }
    findCircles(.circular, along: targets, findings)
  }

  private func findCircles(_ kind: ValidationReport.Problem.Kind, along targets: [[Int]], _ findings: Problems) {
    for cycle in cycles(along: targets) {
      findings.add(kind, services[cycle[0]].cell.registration, cycle.map { name(of: $0) })
    }
  }

  /// What rules ask of points, if they ask in a circle, or for what is not there.
  private func findPoints(_ findings: Problems) {
    var (needs, points): ([[Prerequisite]], [[String]]) = ([], [])
    for service in services {
      needs.append(service.cell.selector?.prerequisites ?? [])
      points.append(service.cell.selector?.pointIDs ?? [])
    }
    var targets: [[Int]] = []
    var found: [String] = []
    for some in needs {
      targets.append([])
      for need in some {
        var (isPoint, isKnown) = (false, false)
        for service in services where points[service.index].contains(need.point) {
          isPoint = true
          targets[targets.count - 1].append(service.index)
          for part in service.parts where (part.registration.candidate ?? Fallback.id) == need.candidate {
            isKnown = true
          }
        }
        let point = "point \(quoted(need.point))"
        let subject = isPoint ? "candidate \(quoted(need.candidate)) at " + point : point
        if isKnown || found.contains(subject) { continue }
        found.append(subject)
        var askers: [Registration] = []
        for service in services {
          let isAsker = needs[service.index].contains {
            $0.point == need.point && (!isPoint || $0.candidate == need.candidate)
          }
          if isAsker { askers.append(service.cell.registration) }
        }
        findings.add(.unknownPoint, subject, names(of: askers), askers[0].location)
      }
    }
    findCircles(.circularRules, along: targets, findings)
  }

  /// The ways from something that an injector keeps to something that a scope further in keeps.
  private func findCaptives(_ findings: Problems) {
    var scoped: [Int] = []
    // What leads to a scoped instance through what nothing keeps.
    var open: [[Int]] = Array(repeating: [], count: services.count)
    for part in parts {
      if part.registration.lifetime == .scoped { scoped.append(part.service) }
      if part.registration.lifetime.isKept { continue }
      for edge in part.edges { if let target = edge.capturable { open[part.service].append(target) } }
    }
    if scoped.isEmpty { return }
    var exposed = Self.walk(from: scoped, along: Self.reversed(open))
    for service in scoped { exposed[service] = service }
    var seen = Array(repeating: -1, count: services.count)
    for (number, keeper) in parts.enumerated() where keeper.registration.lifetime != .scoped {
      guard let depth = depth(of: keeper) else { continue }
      var ways = [[keeper]]
      var next = 0
      while next < ways.count {
        let way = ways[next]
        next += 1
        for edge in way[way.count - 1].edges {
          guard let target = edge.capturable, exposed[target] >= 0, seen[target] != number else { continue }
          seen[target] = number
          for part in services[target].parts {
            let kept = self.depth(of: part)
            if kept == nil { ways.append(way + [part]) }
            guard let kept, kept > depth else { continue }
            var names: [String] = []
            for part in way + [part] { names.append(part.registration.nameInChain(self.names)) }
            findings.add(.captive, keeper.registration, names)
          }
        }
      }
    }
  }
}
