/// Finds the problems of a graph. It makes names only if there is something to report.
struct Check {
  private typealias Problem = ValidationReport.Problem

  private let graph: ServiceGraph
  private lazy var names = DistinctNames(graph.keys)
  private var problems: [Problem] = []
  private var warnings: [Problem] = []

  static func report(on injector: Injector, _ isStrict: Bool) -> ValidationReport {
    var check = Check(graph: ServiceGraph(injector))
    if check.graph.hasGaps { check.findMissing() }
    if !check.graph.edges.isEmpty { check.findCaptivesAndCycles() }
    var (serviceCount, opaque) = (0, [ServiceName]())
    for node in check.graph.nodes.indices {
      if !check.graph.nodes[node].isCandidate { serviceCount += 1 }
      if check.graph.nodes[node].hiding.isEmpty { continue }
      opaque.append(check.graph.nodes[node].registration.serviceName)
      if isStrict { check.addHidden(check.graph.nodes[node]) }
    }
    let (names, keys) = (opaque, opaque.isEmpty ? [] : check.graph.keys)
    return ValidationReport(
      injector: injector.path, serviceCount: serviceCount, problems: ordered(check.problems),
      warnings: ordered(check.warnings), opaque: names.map(DistinctNames(keys).name).alphabetical)
  }

  private init(graph: ServiceGraph) { self.graph = graph }

  /// The problems in the order of their kinds, then of their names.
  private static func ordered(_ problems: [Problem]) -> [Problem] {
    let kinds: [Problem.Kind] = [.missing, .circular, .captive, .contextMissing, .opaque]
    return kinds.flatMap { kind in
      let found = problems.filter { $0.kind == kind }
      return alphabeticalOrder(of: found.map { "\($0.subject)\0\($0.details.last ?? "")" }).map { found[$0] }
    }
  }

  private mutating func name(of node: Int) -> String { names.name(of: graph.nodes[node].registration) }

  private mutating func add(
    _ kind: Problem.Kind, _ subject: String, _ details: [String], _ location: CodeLocation, isWarning: Bool = false,
    _ fault: String, _ advice: String
  ) {
    let problem = Problem(kind, subject, details, location, "\(fault).\nat \(location)\n\(advice).")
    if isWarning { warnings.append(problem) } else { problems.append(problem) }
  }

  /// Finds services and contexts that are not registered.
  private mutating func findMissing() {
    var (missing, choices) = ([Key: [(asker: Int, need: Need)]](), graph.nodes.map { _ in [Int]?.none })
    for (number, node) in graph.nodes.enumerated() {
      for edge in graph.edges[node.edges] where edge.target == nil && !edge.need.isOptional {
        if edge.need.origin == .context {
          choices[number] = []
        } else {
          missing[edge.need.key, default: []].append((number, edge.need))
        }
      }
    }
    for (key, edges) in missing { addMissing(key, edges) }
    for (number, node) in graph.nodes.enumerated() {
      for edge in graph.edges[node.edges] where edge.isCapturable && !edge.need.givesContext {
        if let target = edge.target { choices[target]?.append(number) }
      }
    }
    for (choice, askers) in choices.enumerated() { if let askers { addChoice(choice, for: askers) } }
  }

  private mutating func addMissing(_ key: Key, _ edges: [(asker: Int, need: Need)]) {
    let needing = edges.filter(\.need.isAnswered)
    let askers = (needing.isEmpty ? edges : needing).map(\.asker)
    let (subject, asking) = (names.name(of: key), askers.map { name(of: $0) })
    let location = graph.nodes[askers[alphabeticalOrder(of: asking)[0]]].registration.location
    let list = asking.distinct.joined(separator: ", ")
    if needing.isEmpty {
      // Requests that a recorded run made in vain and did without.
      add(
        .missing, subject, asking.distinct, location, isWarning: true,
        "\(subject) is not registered, and \(list) ran without it", "Register it, if it should be there")
    } else {
      add(
        .missing, subject, asking.distinct, location, "\(subject) is not registered, but is needed by \(list)",
        graph.levels[0].remedy(for: key) ?? "Register it, or remove the services that need it")
    }
  }

  private mutating func addChoice(_ choice: Int, for askers: [Int]) {
    let (node, subject) = (graph.nodes[choice], name(of: choice))
    let context = typeName(graph.edges[node.edges.lowerBound].need.key.type)
    let asking = askers.map { name(of: $0) }.distinct
    if asking.isEmpty {
      add(
        .contextMissing, subject, [context], node.registration.location, isWarning: true,
        "\(subject) is chosen by a \(context), which nothing provides: only a get with in: can resolve it",
        "Register the context, if a get without in: should work too")
    } else {
      let list = asking.joined(separator: ", ")
      add(
        .contextMissing, subject, [context] + asking, node.registration.location,
        "\(subject) is needed by \(list), but nothing provides the \(context) that chooses it",
        "Register the context, or get the service with in: where you have one")
    }
  }

  private mutating func addHidden(_ node: ServiceGraph.Node) {
    let subject = names.name(of: node.registration)
    let advice =
      switch node.hiding[0] {
      case "its closure" where node.hiding.count == 1:
        "Use wiring:, or declare what it asks for: .depends(on: …), or .dependsOnNothing for nothing"
      case "its closure with arguments": "Declare what its closure asks for: register(…, dependsOn: […])"
      default: "Declare all that it and its closures ask for: .depends(on: …)"
      }
    add(
      .opaque, subject, node.hiding, node.registration.location,
      "The dependencies of \(subject) are hidden in \(node.hiding.joined(separator: " and "))", advice)
  }

  /// Finds captive dependencies and cycles, in one walk that comes to a node after those that it leads to.
  private mutating func findCaptivesAndCycles() {
    // For each node, the depth of the injector that keeps its instance, or the greatest one that its instance leads to.
    var (depths, isOwner, hasCycles) = (graph.nodes.map(\.depth), graph.nodes.map { _ in false }, false)
    graph.forEachGroup(along: { _ in true }) { [graph] group in
      var isChanged = true
      while isChanged {
        isChanged = false
        for node in group.reversed() {
          for number in graph.nodes[node].edges {
            guard let target = graph.edges[number].target else { continue }
            hasCycles = hasCycles || group.count > 1 || target == node
            guard depths[target] > depths[node], graph.edges[number].isCapturable else { continue }
            if graph.nodes[node].depth >= 0 {
              isOwner[node] = true
            } else {
              (depths[node], isChanged) = (depths[target], group.count > 1)
            }
          }
        }
      }
    }
    for owner in isOwner.indices where isOwner[owner] { findCaptives(of: owner, depths) }
    if hasCycles { findCycles() }
  }

  /// Finds the instances further in that an instance would keep.
  private mutating func findCaptives(of owner: Int, _ depths: [Int]) {
    let before = graph.walk(from: owner) { [graph] node, edge in
      guard let target = edge.target, edge.isCapturable, depths[target] > depths[owner] else { return false }
      return node == owner || graph.nodes[node].depth < 0
    }
    for target in before.keys where graph.nodes[target].depth >= 0 {
      let path = graph.path(to: target, from: owner, before).map { graph.nodes[$0].registration }.filter {
        !$0.isChoice
      }
      let (subject, chain) = (name(of: owner), path.map { $0.nameInChain(names) })
      add(
        .captive, subject, chain, path[0].location,
        "\(subject) would capture a shorter-lived service: \(chain.joined(separator: " → "))",
        "Make it scoped too, or let it get the service from a scope when it needs it")
    }
  }

  /// Finds cycles. Of those through the same services, it reports the shortest one through the first service by name.
  private mutating func findCycles() {
    var (groups, groupOfNode) = ([[Int]](), graph.nodes.map { _ in -1 })
    graph.forEachGroup(along: graph.isNeeded) { group in
      let first = group[group.startIndex]
      let edges = graph.edges[graph.nodes[first].edges]
      if group.count > 1 || edges.contains(where: { $0.target == first && graph.isNeeded($0) }) {
        for node in group { groupOfNode[node] = groups.count }
        groups.append(Array(group))
      }
    }
    for (number, group) in groups.enumerated() {
      let services = sorted(group.filter { !graph.nodes[$0].isCandidate }, <)
      let first = services[alphabeticalOrder(of: services.map { name(of: $0) })[0]]
      let before = graph.walk(from: first) { [graph] _, edge in
        graph.isNeeded(edge) && edge.target.map { groupOfNode[$0] == number } ?? false
      }
      let path = graph.path(to: first, from: first, before).filter { !graph.nodes[$0].isCandidate }.map { name(of: $0) }
      add(
        .circular, path[0], path, graph.nodes[first].registration.location,
        "\(path[0]) depends on itself: \(path.joined(separator: " → "))",
        "Get one of them in a configure closure of the other")
    }
  }
}
