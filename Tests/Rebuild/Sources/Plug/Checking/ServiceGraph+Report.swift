extension ServiceGraph {
  package func report(_ validation: Injector.Validation) -> ValidationReport {
    let findings = Findings()
    findMissing(findings)
    for service in services.indices { findChoices(of: service, findings) }
    findCircles(findings)
    findPoints(findings)
    findCaptives(findings)
    let opaque = parts.filter { !$0.hiding.isEmpty }
    for part in opaque where validation == .complete { findings.add(.opaque, part.registration, part.hiding) }
    let found = findings.sorted
    return ValidationReport(
      injector: levels.first?.path, serviceCount: services.count, problems: found.problems, warnings: found.warnings,
      opaque: opaque.map(\.registration.name).sorted())
  }

  func name(of service: Int) -> String { services[service].cell.registration.name }
  private func location(of service: Int) -> CodeLocation { services[service].cell.registration.location }

  private func findMissing(_ findings: Findings) {
    var found: [Key] = []
    for part in parts {
      for edge in part.edges where edge.target == nil && !edge.isOptional && !found.contains(edge.need.key) {
        let key = edge.need.key
        found.append(key)
        let askers = askers { $0.target == nil && !$0.isOptional && $0.need.key == key }
        let name = serviceName(key.type, tag: key.tag)
        findings.add(.missing, name, askers.map(\.name).distinct, askers[0].location)
      }
    }
  }

  /// What is wrong with the candidates of a service.
  private func findChoices(of index: Int, _ findings: Findings) {
    let service = services[index]
    let registration = service.cell.registration
    guard let selector = service.cell.selector else { return }
    if selector.contextType != Injector.self, service.context == nil {
      let askers = askers { $0.target == index && !$0.need.givesContext }
      findings.add(.contextMissing, registration, [typeName(selector.contextType)] + askers.map(\.name).distinct)
    }
    let constants = selector.constants
    if !constants.contains(where: { $0 != false }) {
      let askers = askers { $0.target == index && !$0.isOptional }
      if !askers.isEmpty { findings.add(.noCandidate, registration, askers.map(\.name).distinct) }
    }
    var (winner, priorities): (String?, [Int]) = (nil, [])
    let rivals = selector.rivals
    for place in 0..<min(service.parts.count, constants.count, rivals.count) {
      let candidate = service.parts[place].registration
      if constants[place] == false {
        findings.add(.unreachable, candidate, ["its rule is never satisfied"])
      } else if let winner {
        if let priority = rivals[place], priorities.contains(priority) { continue }
        let reason = "\(winner) comes before it and always applies, so only getAll returns it"
        findings.add(.unreachable, candidate, [reason])
      } else {
        if let priority = rivals[place] { priorities.append(priority) }
        if constants[place] == true { winner = candidate.candidate ?? Fallback.id }
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

  /// What has some needs, in alphabetical order.
  @inline(never)
  private func askers(_ isMeant: (Edge) -> Bool) -> [Registration] {
    var found: [Registration] = []
    for part in parts { for edge in part.edges where isMeant(edge) { found.append(part.registration) } }
    return alphabeticalOrder(of: found.map(\.name)).map { found[$0] }
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
    let needs = self.services.map { $0.cell.selector?.prerequisites ?? [] }
    if !needs.contains(where: { !$0.isEmpty }) { return }
    let points = self.services.map { $0.cell.selector?.pointIDs ?? [] }
    func services(at point: String) -> [Int] { points.indices.filter { points[$0].contains(point) } }
    var targets: [[Int]] = []
    var found: [String] = []
    for some in needs {
      targets.append([])
      for need in some {
        let candidates = services(at: need.point)
        targets[targets.count - 1] += candidates
        let isKnown = candidates.contains { service in
          self.services[service].parts.contains { $0.registration.candidate ?? Fallback.id == need.candidate }
        }
        let point = "point \(quoted(need.point))"
        let subject = candidates.isEmpty ? point : "candidate \(quoted(need.candidate)) at \(point)"
        if isKnown || found.contains(subject) { continue }
        found.append(subject)
        let askers = needs.indices.filter { asker in
          needs[asker].contains { candidates.isEmpty ? $0.point == need.point : $0 == need }
        }
        findings.add(.unknownPoint, subject, askers.map(name).distinct, location(of: askers[0]))
      }
    }
    findCircles(.circularRules, along: targets, findings)
  }

  /// The ways from something that an injector keeps to something that a scope further in keeps.
  private func findCaptives(_ findings: Findings) {
    var scoped: [Int] = []
    // What leads to a scoped instance through what nothing keeps.
    var open: [[Int]] = Array(repeating: [], count: services.count)
    for part in parts {
      if part.registration.lifetime == .scoped { scoped.append(part.service) }
      if part.registration.lifetime.isKept { continue }
      for edge in part.edges { if let target = edge.target { open[part.service].append(target) } }
    }
    if scoped.isEmpty { return }
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
            findings.add(.captive, keeper.registration, (way + [part]).map(\.registration.nameInChain))
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
