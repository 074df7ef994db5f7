import PlugOperations
import TestSupport
import Testing

@testable import Plug

/// The faults of a graph, found in the simplest way.
private struct Faults: Equatable {
  /// The needed services that are missing.
  var missing: Set<String> = []

  /// The groups of services that need each other.
  var cycles: Set<Set<String>> = []

  /// The captive dependencies, as "keeper → kept".
  var captives: Set<String> = []

  init(_ graph: RandomGraph) {
    let nodes = graph.nodes
    let registered = nodes.indices.filter { nodes[$0].isRegistered }
    let targets = nodes.map { node in node.isRegistered ? node.targets.filter { nodes[$0].isRegistered } : [] }
    for index in registered {
      for target in nodes[index].targets where !nodes[target].isRegistered { missing.insert(graph.name(target)) }
    }
    let reached = nodes.indices.map { Self.reach(from: $0, targets, through: { _ in true }) }
    for index in registered where reached[index].contains(index) {
      cycles.insert(
        Set(registered.filter { reached[index].contains($0) && reached[$0].contains(index) }.map(graph.name)))
    }
    for keeper in registered where [.lazySingleton, .weakSingleton].contains(nodes[keeper].lifetime) {
      let found = Self.reach(from: keeper, targets) { [.graph, .factory].contains(nodes[$0].lifetime) }
      for index in found where nodes[index].lifetime == .scoped {
        captives.insert("\(graph.name(keeper)) → \(graph.name(index))")
      }
    }
  }

  /// The nodes that one or more steps reach; steps after the first start only at nodes that `through` admits.
  private static func reach(from start: Int, _ targets: [[Int]], through: (Int) -> Bool) -> Set<Int> {
    var reached: Set<Int> = []
    var queue = targets[start]
    while let index = queue.popLast() {
      if reached.insert(index).inserted, through(index) { queue += targets[index] }
    }
    return reached
  }

  init(_ problems: [ValidationReport.Problem], cycles members: (ValidationReport.Problem) -> Set<String>) {
    for problem in problems {
      switch problem.kind {
      case .missing: missing.insert(problem.subject)
      case .circular: cycles.insert(members(problem))
      case .captive:
        captives.insert("\(problem.subject) → \((problem.details.last ?? "").prefix { $0 != "(" }.dropLast())")
      default: Issue.record("Unexpected: \(problem)")
      }
    }
  }
}

@Suite("Random graphs of up to 200 services", .repeatable)
struct RandomGraphTests {
  @Test("have exactly the faults that a naive search finds, if all services are wired or declared")
  func faults() throws {
    var counts = (rounds: 0, missing: 0, cycles: 0, captives: 0, valid: 0)
    try Rounds.run(125) { round in
      var random = round.random
      counts.rounds += 1
      var graph = RandomGraph(forms: [.wired, .wired, .declared], using: &random)
      if Bool.random(using: &random) { graph.plantCycle(using: &random) }
      if Bool.random(using: &random) { graph.plantCaptive(using: &random) }
      if Bool.random(using: &random) { graph.plantMissing(using: &random) }
      let expected = Faults(graph)
      let problems = problems(of: try graph.makeInjector())
      let found = Faults(problems) { problem in
        expected.cycles.first { $0.contains(problem.subject) && $0.isSuperset(of: problem.details) } ?? []
      }
      #expect(found == expected)
      #expect(problems.count == expected.missing.count + expected.cycles.count + expected.captives.count)
      for problem in problems where problem.kind == .circular { #expect(isPath(problem.details, in: graph)) }
      counts.missing += expected.missing.count
      counts.cycles += expected.cycles.count
      counts.captives += expected.captives.count
      counts.valid += problems.isEmpty ? 1 : 0
    }
    if counts.rounds < 125 { return }
    #expect(counts.missing > 20 && counts.cycles > 20 && counts.captives > 20 && counts.valid > 5)
  }

  @Test("that are valid resolve every service, also with dependencies hidden in closures")
  func resolution() throws {
    try Rounds.run { round in
      var random = round.random
      let graph = RandomGraph(forms: RandomGraph.Form.allCases, using: &random)
      let injector = try graph.makeInjector()
      injector.recordDependencies()
      let report = try injector.validate()
      #expect(report.opaque == graph.nodes.indices.filter { graph.nodes[$0].form == .closure }.map(graph.name).sorted())
      try injector.seal()
      let scope = injector.makeScope()
      for node in graph.nodes.shuffled(using: &random) { try get(node.type, from: scope) }
      #expect(try injector.validate().opaque == [])
      #expect(try scope.validate().problems == [])
      scope.closeNow()
    }
  }

  private func problems(of injector: Injector) -> [ValidationReport.Problem] {
    do throws(InjectorError) {
      return try injector.validate().problems
    } catch {
      if case .invalid(_, let report) = error { return report.problems }
      return []
    }
  }

  private func isPath(_ names: [String], in graph: RandomGraph) -> Bool {
    let numbers = Dictionary(uniqueKeysWithValues: graph.nodes.indices.map { (graph.name($0), $0) })
    return names.first == names.last
      && zip(names, names.dropFirst()).allSatisfy { from, to in
        guard let from = numbers[from], let to = numbers[to] else { return false }
        return graph.nodes[from].targets.contains(to)
      }
  }
}
