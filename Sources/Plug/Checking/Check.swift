/// Finds the problems of a graph. It makes names only if there is something to report.
struct Check {
  private typealias Problem = ValidationReport.Problem

  private let graph: ServiceGraph
  private lazy var names = DistinctNames(graph.keys)
  private var problems: [Problem] = []

  static func report(on injector: Injector, _ isStrict: Bool) -> ValidationReport {
    var check = Check(graph: ServiceGraph(injector))
    if check.graph.hasGaps { check.findMissing() }
    if !check.graph.edges.isEmpty {
      check.findCaptives()
      check.findCycles()
    }
    let opaque = check.graph.nodes.filter { !$0.hiding.isEmpty }
    if isStrict { for node in opaque { check.addHidden(node) } }
    return ValidationReport(
      injector: injector.path, serviceCount: check.graph.nodes.count { !$0.isCandidate },
      problems: ordered(check.problems),
      opaqueServices: ValidationReport.OpaqueServices(
        services: opaque.map(\.registration.serviceName), keys: opaque.isEmpty ? [] : check.graph.keys))
  }

  private init(graph: ServiceGraph) { self.graph = graph }

  /// The problems in the order of their kinds, then of their names.
  private static func ordered(_ problems: [Problem]) -> [Problem] {
    let order = problems.map { "\($0.kind.rawValue)\0\($0.subject)\0\($0.details.last ?? "")" }
    return alphabeticalOrder(of: order).map { problems[$0] }
  }

  private mutating func name(of node: Int) -> String { names.name(of: graph.nodes[node].registration) }

  private mutating func add(
    _ kind: Problem.Kind, _ subject: String, _ details: [String], _ location: CodeLocation, _ fault: String,
    _ advice: String
  ) {
    problems.append(
      Problem(
        kind: kind, subject: subject, details: details, registeredAt: location,
        description: "\(fault).\nat \(location)\n\(advice)."))
  }

  /// Finds services and contexts that are not registered.
  private mutating func findMissing() {
    // The services that need a missing one, or a choice among candidates whose context is missing.
    var (missing, choices) = ([Key: [Int]](), [Int: [Int]]())
    for (number, node) in graph.nodes.enumerated() {
      for edge in graph.edges(of: node) where edge.target == nil && !edge.need.isOptional {
        if edge.need.origin == .context {
          choices[number] = []
        } else {
          missing[edge.need.key, default: []].append(number)
        }
      }
    }
    for (number, node) in graph.nodes.enumerated() {
      for edge in graph.edges(of: node) where graph.isCapturable(edge) && !edge.need.givesContext {
        if let target = edge.target { choices[target]?.append(number) }
      }
    }
    for (key, askers) in missing { addMissing(key, askers) }
    for (choice, askers) in choices where !askers.isEmpty { addChoice(choice, for: askers) }
  }

  private mutating func addMissing(_ key: Key, _ askers: [Int]) {
    let (subject, asking) = (names.name(of: key), askers.map { name(of: $0) })
    let first = graph.nodes[askers[alphabeticalOrder(of: asking)[0]]].registration
    add(
      .missing, subject, asking.distinct, first.location,
      "\(subject) is not registered, but is needed by \(asking.distinct.joined(separator: ", "))",
      graph.levels[0].remedy(for: key) ?? "Register it, or remove the services that need it")
  }

  private mutating func addChoice(_ choice: Int, for askers: [Int]) {
    let (node, subject, asking) = (graph.nodes[choice], name(of: choice), askers.map { name(of: $0) }.distinct)
    let context = typeName(graph.edges[node.edges.lowerBound].need.key.type)
    add(
      .contextMissing, subject, [context] + asking, node.registration.location,
      "\(subject) is needed by \(asking.joined(separator: ", ")), but nothing provides the \(context) that chooses it",
      "Register the context, or get the service with in: where you have one")
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

  /// Finds the instances further in that an instance would keep, each with the shortest way to it.
  private mutating func findCaptives() {
    let depths = graph.nodes.map(\.depth)
    // Nodes without an owner that lead to no instance further in. Walks from owners further in need not visit them.
    var harmless: Set<Int> = []
    for depth in 0..<max(0, depths.max() ?? 0) {
      for owner in depths.indices where depths[owner] == depth {
        func isFollowed(_ node: Int, _ edge: ServiceGraph.Edge) -> Bool {
          guard let target = edge.target, graph.isCapturable(edge), node == owner || depths[node] < 0 else {
            return false
          }
          return depths[target] < 0 ? !harmless.contains(target) : depths[target] > depth
        }
        // Most instances lead only to others that live as long.
        if !graph.edges(of: graph.nodes[owner]).contains(where: { isFollowed(owner, $0) }) { continue }
        let before = graph.walk(from: owner, along: isFollowed)
        let captives = before.keys.filter { depths[$0] >= 0 }
        if captives.isEmpty { harmless.formUnion(before.keys) }
        for captive in captives { addCaptive(graph.path(to: captive, from: owner, before)) }
      }
    }
  }

  private mutating func addCaptive(_ path: [Int]) {
    let way = path.map { graph.nodes[$0].registration }.filter { !$0.isChoice }
    let (subject, chain) = (names.name(of: way[0]), way.map { $0.nameInChain(names) })
    add(
      .captive, subject, chain, way[0].location,
      "\(subject) would capture a shorter-lived service: \(chain.joined(separator: " → "))",
      "Make it scoped too, or let it get the service from a scope when it needs it")
  }

  /// Finds cycles. Of those through the same services, it reports the shortest one through the first service by name.
  private mutating func findCycles() {
    // Most graphs have none, whatever edges are followed, and to find that out takes less time.
    if graph.cyclicGroups(isStrict: false).isEmpty { return }
    for group in graph.cyclicGroups(isStrict: true) {
      let services = sorted(group.filter { !graph.nodes[$0].isCandidate }, <)
      let first = services[alphabeticalOrder(of: services.map { name(of: $0) })[0]]
      let before = graph.walk(from: first) { [graph] _, edge in
        graph.isNeeded(edge) && group.contains(edge.target ?? first)
      }
      let path = graph.path(to: first, from: first, before).filter { !graph.nodes[$0].isCandidate }.map { name(of: $0) }
      add(
        .circular, path[0], path, graph.nodes[first].registration.location,
        "\(path[0]) depends on itself: \(path.joined(separator: " → "))",
        "Get one of them in a configure closure of the other")
    }
  }
}
