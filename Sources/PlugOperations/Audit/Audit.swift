import Plug
import PlugKeys

/// Collects the findings about an injector.
struct Audit {
  typealias Finding = AuditReport.Finding

  let injector: Injector
  let graph: ServiceGraph
  let names: DistinctNames
  /// The nodes of services, without those of candidates.
  let services: [Int]
  private var findings: [Finding] = []

  init(of injector: Injector) {
    self.injector = injector
    let graph = ServiceGraph(injector)
    (self.graph, names) = (graph, DistinctNames(graph.keys))
    services = graph.nodes.indices.filter { !graph.nodes[$0].isCandidate }
  }

  mutating func report() -> AuditReport {
    findUndeclared()
    findUnused()
    findIdleDecorators()
    findEarly()
    for service in services {
      guard let order = graph.nodes[service].cell.order else { continue }
      findChoices(among: order, of: service)
      findOrders(of: order, graph.nodes[service].cell.registration)
      findNames(in: order, graph.nodes[service].cell.registration)
    }
    findPoints()
    let kinds: [Finding.Kind] = [
      .circularRules, .circularOrder, .unknownCandidate, .noCandidate, .ambiguousPoint, .unreachable, .unknownPoint,
      .unknownOrder, .undeclared, .early, .idleDecorator, .unused,
    ]
    let sorted = kinds.flatMap { kind in
      findings.filter { $0.kind == kind }.sorted {
        ($0.subject, $0.details.last ?? "") < ($1.subject, $1.details.last ?? "")
      }
    }
    return AuditReport(injector: injector.path, serviceCount: services.count, findings: sorted)
  }

  mutating func add(
    _ kind: Finding.Kind, _ subject: String, _ details: [String], _ location: CodeLocation, _ fault: String,
    _ advice: String
  ) {
    findings.append(
      Finding(
        kind: kind, subject: subject, details: details, registeredAt: location,
        description: "\(fault).\n\(location.fileID.isEmpty ? "" : "at \(location)\n")\(advice)"))
  }

  func registration(of node: Int) -> Registration { graph.nodes[node].cell.registration }
  func name(of node: Int) -> String { names.name(of: registration(of: node)) }

  /// Finds factories that declare their dependencies and have requested others. The requests of a decorator cannot be
  /// declared.
  private mutating func findUndeclared() {
    for node in graph.nodes where node.cell.registration.decorators.isEmpty {
      guard case .declared(let keys) = node.cell.registration.needs else { continue }
      let others = graph.edges(of: node).map { $0.need }.filter { need in
        need.origin == .recorded || need.origin == .configured && !keys.contains(need.key)
      }
      if others.isEmpty { continue }
      let (name, asked) = (names.name(of: node.cell.registration), others.map { names.name(of: $0.key) }.distinct)
      add(
        .undeclared, name, asked, node.cell.registration.location,
        "\(name) asked for \(asked.joined(separator: ", ")), which it does not declare", "Add it to depends(on:).")
    }
  }

  private mutating func findIdleDecorators() {
    for decorator in injector.levels.flatMap(\.idleDecorators) {
      let (name, place) = (names.name(of: decorator.service), decorator.location)
      let id = decorator.id == "\(place)" ? "" : " \(decorator.id)"
      add(
        .idleDecorator, name, [decorator.id], place, "The decorator\(id) of \(name) decorates nothing",
        "Register \(name), or check the type and the tag of the decorator.")
    }
  }

  /// Finds what belongs to another injector, because it was set by name before the injector of that name was created.
  private mutating func findEarly() {
    for level in injector.levels {
      guard let name = level.name, let early = name.environment.madeForName, early.active !== level else { continue }
      let registrations = ServiceGraph(early).nodes.filter { !$0.isCandidate }.map(\.cell.registration)
      let decorators = early.idleDecorators
      var list = registrations.map { names.name(of: $0.key) }
      list += decorators.map { "a decorator of \(names.name(of: $0.service))" }
      list += Properties.set(in: early).map { "a value of \(names.name(of: $0))" }
      if early.attachment(Tracers.self)?.isIdle == false { list.append("a tracer") }
      if list.isEmpty { continue }
      let (subject, text) = (quoted(name.rawValue), list.distinct.joined(separator: ", "))
      let location = (registrations.map(\.location) + decorators.map { $0.location }).first
      add(
        .early, subject, list.distinct, location ?? CodeLocation(fileID: "", line: 0),
        "The name \(subject) was used before its injector was created, so another injector has \(text)",
        "Create the injector before you use its name.")
    }
  }

  /// Finds services that no code has requested while dependencies were recorded, and that no requested one needs.
  private mutating func findUnused() {
    guard let recording = injector.levels.lazy.compactMap({ $0.attachment(Recording.self) }).first else { return }
    let asked = recording.askedKeys.flatMap { [$0] + $0.elements }
    let used = Set(graph.reached(from: services.filter { asked.contains(registration(of: $0).key) }))
    for service in services where !used.contains(service) {
      let node = graph.nodes[service]
      let isMade =
        graph.injector(of: node).keptBox(of: node.cell.registration) != nil
        || node.cell.parts.contains { $0.box != nil }
      if node.cell.registration.key.type is any TypedKey.Type || isMade { continue }
      let name = name(of: service)
      add(
        .unused, name, [], node.cell.registration.location,
        "\(name) is not used: nothing has requested it since recording began",
        "Remove it, or request it in the test that audits.")
    }
  }
}
