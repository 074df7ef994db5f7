import Plug

extension Audit {
  /// Finds candidates that are never selected, and a service that is needed and has no other candidates.
  mutating func findChoices(among order: CandidateOrdering, of service: Int) {
    var (winner, priorities): (String?, [Int]) = (nil, [])
    var isImpossible = true
    for entry in order.entries {
      if entry.constant == false {
        addUnreachable(entry, "its rule is never satisfied")
        continue
      }
      isImpossible = false
      if let winner {
        if entry.isDrawn, priorities.contains(entry.priority) { continue }
        addUnreachable(entry, winner + " comes before it and always applies, so only getAll returns it")
      } else {
        // One of the candidates with a weight and this priority is drawn.
        if entry.isDrawn { priorities.append(entry.priority) }
        // The next candidate replaces one with a policy for its failure.
        let canFail = entry.values[ObjectIdentifier(FailurePolicy.self)] != nil
        if entry.constant == true, !canFail { winner = entry.id }
      }
    }
    if !isImpossible { return }
    let askers = graph.nodes.filter { node in
      graph.edges(of: node).contains { $0.target == service && !$0.need.isOptional }
    }
    if askers.isEmpty { return }
    let (name, list) = (name(of: service), askers.map { names.name(of: $0.cell.registration) }.distinct)
    add(
      .noCandidate, name, list, registration(of: service).location,
      "\(name) has no candidate that can ever apply, but is needed by \(list.joined(separator: ", "))",
      "Register one without a rule as the fallback, or remove the services that need it.")
  }

  private mutating func addUnreachable(_ entry: Entry, _ reason: String) {
    let (name, location) = (names.name(of: entry.cell.registration), entry.cell.registration.location)
    add(
      .unreachable, name, [reason], location, "\(name) can never be chosen: \(reason)",
      "Remove it, or change the order or the rule.")
  }

  /// Finds names from outside of the program that no candidate has.
  mutating func findNames(in order: CandidateOrdering, _ registration: Registration) {
    var seen: [String] = []
    for mention in order.mentions {
      let outside = "\(mention.kind) \(quoted(mention.key))"
      guard let names = mention.names, !seen.contains(outside) else { continue }
      seen.append(outside)
      let (ids, service) = (order.entries.map(\.id), self.names.name(of: registration))
      for name in names.known(injector) where !ids.contains(name) {
        let nearest = nearestNames(to: name, among: ids).map { ids[$0] }.min()
        let subject = "\(names.role) \(quoted(name)) of \(outside)"
        add(
          .unknownCandidate, subject, [service] + [nearest].compactMap(\.self), registration.location,
          "\(subject) names no candidate of \(service)",
          nearest.map { "Did you mean \(quoted($0))?" } ?? "Add a candidate of this id, or remove the name.")
      }
    }
  }

  /// Finds constraints on the order of candidates that contradict each other, or name no candidate.
  mutating func findOrders(of order: CandidateOrdering, _ registration: Registration) {
    let entries = order.entries.filter { !$0.isFallback }
    let places = Dictionary(grouping: entries.indices) { entries[$0].id }
    var followers: [Int: [Int]] = [:]
    for (index, entry) in entries.enumerated() {
      let (after, before) = entry.orders
      for leader in after.flatMap({ places[$0] ?? [] }) { followers[leader, default: []].append(index) }
      followers[index, default: []] += before.flatMap { places[$0] ?? [] }
      let unknown = (after + before).filter { places[$0] == nil }.distinct
      if unknown.isEmpty { continue }
      let name = names.name(of: registration.key, candidate: entry.id)
      add(
        .unknownOrder, name, unknown, registration.location,
        "\(name) must come after or before \(unknown.joined(separator: ", ")), which is not a candidate of its service",
        "Check the id, or remove the order.")
    }
    let name = names.name(of: registration)
    for cycle in cycles(in: followers, from: Array(entries.indices)).map({ $0.map { entries[$0].id } }) {
      add(
        .circularOrder, name, cycle, registration.location,
        "Candidates of \(name) must come after each other: \(cycle.joined(separator: " → "))",
        "Remove one of the orders.")
    }
  }

  /// Finds points with the same id, and rules that refer to a missing point or candidate, or to each other in a cycle.
  mutating func findPoints() {
    var (points, registered): ([String: [Int]], [String: [Registration]]) = ([:], [:])
    for service in services {
      guard let ids = graph.nodes[service].cell.order?.pointIDs else { continue }
      for id in ids { points[id, default: []].append(service) }
      if ids.count > 1 { registered[ids[0], default: []].append(registration(of: service)) }
    }
    for (id, found) in registered where found.contains(where: { $0.key != found[0].key }) {
      let names = found.map(\.key.fullName).distinct
      let first = found.min { $0.key.fullName < $1.key.fullName } ?? found[0]
      add(
        .ambiguousPoint, quoted(id), names, first.location,
        "\(quoted(id)) is the id of several points, of \(names.joined(separator: " and "))",
        "Give each point an id of its own, by which rules and operators name it.")
    }
    var (targets, unknown): ([Int: [Int]], [String: [Int]]) = ([:], [:])
    for service in services {
      for (candidate, point) in graph.nodes[service].cell.order?.prerequisites ?? [] {
        let reached = points[point] ?? []
        targets[service, default: []] += reached
        if reached.contains(where: { hasCandidate(candidate, $0) }) { continue }
        let subject = (reached.isEmpty ? "" : "candidate \(quoted(candidate)) at ") + "point \(quoted(point))"
        unknown[subject, default: []].append(service)
      }
    }
    for (subject, askers) in unknown {
      let list = askers.map { name(of: $0) }.distinct
      add(
        .unknownPoint, subject, list, registration(of: askers[0]).location,
        "\(subject) is not registered here, but rules of \(list.joined(separator: ", ")) ask for the selection there",
        "Check the id, or register the point in the injector that is asked.")
    }
    findCircularRules(targets)
  }

  private func hasCandidate(_ id: String, _ service: Int) -> Bool {
    graph.nodes[service].cell.order?.entries.contains { $0.id == id } ?? false
  }

  /// - Parameter targets: The services whose selection the rules of each service ask for.
  private mutating func findCircularRules(_ targets: [Int: [Int]]) {
    let services = targets.keys.sorted { name(of: $0) < name(of: $1) }
    for cycle in cycles(in: targets, from: services) {
      let path = cycle.map { name(of: $0) }
      add(
        .circularRules, path[0], path, registration(of: cycle[0]).location,
        "\(path[0]) is selected by a rule that depends on its own selection: \(path.joined(separator: " → "))",
        "Let one of the rules look at something else.")
    }
  }

  /// The shortest cycles through each of several nodes, except through those of earlier cycles. A cycle ends with its
  /// first node.
  private func cycles(in targets: [Int: [Int]], from nodes: [Int]) -> [[Int]] {
    var (cycles, reported) = ([[Int]](), Set<Int>())
    for first in nodes where !reported.contains(first) {
      var (before, queue, next) = ([Int: Int](), [first], 0)
      while next < queue.count, before[first] == nil {
        for target in targets[queue[next]] ?? [] where before[target] == nil && !reported.contains(target) {
          before[target] = queue[next]
          queue.append(target)
        }
        next += 1
      }
      if before[first] == nil { continue }
      var cycle = [first]
      repeat { cycle.append(before[cycle[cycle.count - 1]] ?? first) } while cycle[cycle.count - 1] != first
      reported.formUnion(cycle)
      cycles.append(cycle.reversed())
    }
    return cycles
  }
}
