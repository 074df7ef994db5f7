extension ServiceGraph {
  package func report(_ validation: Injector.Validation) -> ValidationReport {
    let findings = Findings()
    findMissing(findings)
    for service in services.indices { findChoices(of: service, findings) }
    findCircles(findings)
    findPoints(findings)
    findCaptives(findings)
    let opaque = parts.filter { !$0.hiding.isEmpty }
    if validation == .complete {
      for part in opaque { findings.add(.opaque, part.registration, part.hiding) }
    }
    let found = findings.sorted
    return ValidationReport(
      injector: levels.first?.path, serviceCount: services.count, problems: found.problems, warnings: found.warnings,
      opaque: opaque.map(\.registration.name).sorted())
  }

  func name(of service: Int) -> String { services[service].cell.registration.name }

  private func findMissing(_ findings: Findings) {
    var (keys, askers): ([Key], [[Part]]) = ([], [])
    for part in parts {
      for edge in part.edges where edge.target == nil && !edge.isOptional {
        let place = keys.firstIndex(of: edge.need.key) ?? keys.count
        if place == keys.count {
          keys.append(edge.need.key)
          askers.append([])
        }
        askers[place].append(part)
      }
    }
    for (key, parts) in zip(keys, askers) {
      let names = parts.map(\.registration.name)
      let first = parts[alphabeticalOrder(of: names)[0]].registration
      findings.add(.missing, serviceName(key.type, tag: key.tag), names.distinct, first.location)
    }
  }

  /// What is wrong with the candidates of a service.
  private func findChoices(of index: Int, _ findings: Findings) {
    let service = services[index]
    let registration = service.cell.registration
    guard let selector = service.cell.selector else { return }
    if selector.contextType != Injector.self, service.context == nil {
      let askers = askers(of: index) { !$0.need.givesContext }
      findings.add(.contextMissing, registration, [typeName(selector.contextType)] + askers)
    }
    let constants = selector.constants
    if !constants.contains(where: { $0 != false }) {
      let askers = askers(of: index) { !$0.isOptional }
      if !askers.isEmpty { findings.add(.noCandidate, registration, askers) }
    }
    var winner: String?
    var rivals: [Int] = []
    for (part, (constant, priority)) in zip(service.parts, zip(constants, selector.rivals)) {
      if constant == false {
        findings.add(.unreachable, part.registration, ["its rule is never satisfied"])
      } else if let winner, priority.map(rivals.contains) != true {
        let reason = "\(winner) comes before it and always applies, so only getAll returns it"
        findings.add(.unreachable, part.registration, [reason])
      } else if winner == nil {
        if let priority { rivals.append(priority) }
        if constant == true { winner = part.registration.candidate ?? Fallback.id }
      }
    }
    guard let sort = selector.sort else { return }
    for circle in sort.circles { findings.add(.circularOrder, registration, circle) }
    for (candidate, id) in sort.ids.enumerated() {
      let unknown = sort.unknown.filter { $0.candidate == candidate }.map(\.id)
      if unknown.isEmpty { continue }
      let name = serviceName(registration.key.type, tag: registration.key.tag, candidate: id)
      findings.add(.unknownOrder, name, unknown.distinct, registration.location)
    }
  }

  /// The names of what needs a service.
  private func askers(of service: Int, where isMeant: (Edge) -> Bool) -> [String] {
    var names: [String] = []
    for part in parts {
      for edge in part.edges where edge.target == service && isMeant(edge) { names.append(part.registration.name) }
    }
    return names.distinct
  }

  private func findCircles(_ findings: Findings) {
    let targets = services.map { service in
      var targets = service.context.map { [$0] } ?? []
      for part in service.parts {
        for edge in part.edges where !edge.need.isConfigured {
          guard let target = edge.target else { continue }
          let cell = services[target].cell
          // One service stands for all arguments, and another context may select another candidate.
          if cell.registration.maker != nil || edge.need.givesContext && cell.selector != nil { continue }
          targets.append(target)
        }
      }
      return targets
    }
    findCircles(.circular, along: targets, findings)
  }

  private func findCircles(_ kind: ValidationReport.Problem.Kind, along targets: [[Int]], _ findings: Findings) {
    for cycle in cycles(along: targets) {
      findings.add(kind, services[cycle[0]].cell.registration, cycle.map(name))
    }
  }

  /// What rules ask of points, if they ask in a circle, or for what is not there.
  private func findPoints(_ findings: Findings) {
    let needs = services.map { $0.cell.selector?.prerequisites ?? [] }
    if !needs.contains(where: { !$0.isEmpty }) { return }
    var points: [String: [Int]] = [:]
    for (index, service) in services.enumerated() {
      for id in service.cell.selector?.pointIDs ?? [] { points[id, default: []].append(index) }
    }
    let targets = needs.map { needs in needs.flatMap { points[$0.point] ?? [] } }
    findCircles(.circularRules, along: targets, findings)
    var unknown: [String: [Int]] = [:]
    for (index, needs) in needs.enumerated() {
      for need in needs {
        let found = points[need.point]
        let isKnown = found?.contains { service in
          services[service].parts.contains { ($0.registration.candidate ?? Fallback.id) == need.candidate }
        }
        if isKnown == true { continue }
        let point = "point \(quoted(need.point))"
        unknown[found == nil ? point : "candidate \(quoted(need.candidate)) at \(point)", default: []].append(index)
      }
    }
    for (subject, askers) in unknown {
      let location = services[askers[0]].cell.registration.location
      findings.add(.unknownPoint, subject, askers.map(name).distinct, location)
    }
  }

  /// The ways from something that an injector keeps to something that a scope further in keeps.
  private func findCaptives(_ findings: Findings) {
    let scoped = parts.filter { $0.registration.lifetime == .scoped }.map(\.service)
    if scoped.isEmpty { return }
    // What leads to a scoped instance through what nothing keeps.
    let open = services.map { service in
      service.parts.filter { !$0.registration.lifetime.isKept }.flatMap { $0.edges.compactMap(\.target) }
    }
    var isExposed = Self.walk(from: scoped, along: Self.reversed(open)).map { $0 >= 0 }
    for service in scoped { isExposed[service] = true }
    var seen = Array(repeating: -1, count: services.count)
    for (number, keeper) in parts.enumerated() where keeper.registration.lifetime != .scoped {
      guard let depth = depth(of: keeper) else { continue }
      var ways = [[keeper]]
      var next = 0
      while next < ways.count {
        let way = ways[next]
        next += 1
        for edge in way[way.count - 1].edges {
          guard let target = edge.target, isExposed[target], seen[target] != number else { continue }
          seen[target] = number
          for part in services[target].parts {
            guard let kept = self.depth(of: part) else {
              ways.append(way + [part])
              continue
            }
            if kept <= depth { continue }
            let names = (way + [part]).map(\.registration.nameInChain)
            findings.add(.captive, keeper.registration, names)
          }
        }
      }
    }
  }
}

/// What is found, in any order.
private final class Findings {
  private typealias Kind = ValidationReport.Problem.Kind

  private var found: [ValidationReport.Problem] = []

  func add(_ kind: ValidationReport.Problem.Kind, _ registration: Registration, _ details: [String]) {
    add(kind, registration.name, details, registration.location)
  }

  func add(_ kind: ValidationReport.Problem.Kind, _ subject: String, _ details: [String], _ location: CodeLocation) {
    found.append(ValidationReport.Problem(kind: kind, subject: subject, details: details, registeredAt: location))
  }

  /// In the order of their kinds, then of their names.
  var sorted: (problems: [ValidationReport.Problem], warnings: [ValidationReport.Problem]) {
    let kinds: [Kind] = [
      .missing, .circular, .circularRules, .circularOrder, .captive, .noCandidate, .unreachable, .unknownPoint,
      .unknownOrder, .contextMissing, .opaque,
    ]
    let names = found.map { problem in
      let kind = kinds.firstIndex(of: problem.kind) ?? 0
      return "\(kind + 10)\(problem.subject)\0\(problem.details.last ?? "")"
    }
    var (problems, warnings): ([ValidationReport.Problem], [ValidationReport.Problem]) = ([], [])
    for index in alphabeticalOrder(of: names) {
      switch found[index].kind {
      case .unreachable, .unknownPoint, .unknownOrder: warnings.append(found[index])
      case .contextMissing where found[index].details.count == 1: warnings.append(found[index])
      default: problems.append(found[index])
      }
    }
    return (problems, warnings)
  }
}

extension [String] {
  /// Each of the texts once, in alphabetical order.
  fileprivate var distinct: [String] {
    var texts: [String] = []
    for text in sorted() where text != texts.last { texts.append(text) }
    return texts
  }
}
