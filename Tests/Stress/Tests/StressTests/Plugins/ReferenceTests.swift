import Plug
import PlugOperations
import TestSupport
import Testing

@Suite("Random points", .repeatable)
struct ReferenceTests {
  /// All answers of a point in a context.
  private struct Answers: Equatable {
    let plugins: [String]
    let first: String?
    let available: [String]
    let selected: String?
    let findings: [Reference.Finding]

    init(_ point: PluginPoint<String, Flags>, in flags: Flags) {
      let explanation = point.explain(in: flags)
      plugins = point.plugins(in: flags)
      first = point.first(in: flags)
      available = explanation.available
      selected = explanation.selected
      findings = explanation.elements.flatMap(\.findings)
    }

    init(_ reference: Reference) {
      (plugins, available) = (reference.ids, reference.ids)
      (first, selected) = (reference.ids.first, reference.ids.first)
      findings = reference.findings
    }
  }

  @Test("A point of nested points has the choices and the explanation of a reference evaluation")
  func reference() throws {
    try Rounds.run(50) { round in
      var generator = BlueprintGenerator(seed: round.random.seed)
      let (blueprint, flags, formula) = (generator.point(), generator.flags(), generator.formula())
      let point = blueprint.point
      let expected = Reference(blueprint, in: flags)
      try #require(Answers(point, in: flags) == Answers(expected))

      let (rule, value) = (formula.rule, formula.value(in: flags))
      try #require(rule.evaluate(in: flags).number == value, "\(rule)")
      try #require(rule.trace(in: flags).outcome.number == value, "\(rule)")

      // A rule is satisfied, or its negation is, or neither.
      let open = PluginPoint<String, Flags>("open", when: rule) { point }
      let shut = PluginPoint<String, Flags>("shut", when: !rule) { point }
      try #require(open.plugins(in: flags) == (value == 1 ? expected.ids : []), "\(rule)")
      try #require(shut.plugins(in: flags) == (value == -1 ? expected.ids : []), "\(rule)")

      let unknown = Rule<Flags>("unknown") { _ in throw Unknowable() }
      let gated = PluginPoint<String, Flags>("gated") {
        PluginPoint("unknown", when: unknown) { point }
        PluginPoint("negated", when: !unknown) { point }
      }
      try #require(gated.plugins(in: flags) == [])
      try #require(gated.explain(in: flags).available == [])
    }
  }

  @Test("A point has the choices of the reference after a part of it has been removed")
  func removal() throws {
    try Rounds.run(50) { round in
      var generator = BlueprintGenerator(seed: round.random.seed)
      let (blueprint, flags) = (generator.point(), generator.flags())
      var point = blueprint.point
      guard let id = generator.element(of: blueprint.idsInside) else {
        let isRemoved = point.remove("c1")
        try #require(!isRemoved)
        return
      }
      let isRemoved = point.remove(id)
      try #require(isRemoved, "\(id)")
      let expected = Reference(blueprint.removing(id), in: flags)
      try #require(Answers(point, in: flags) == Answers(expected), "\(id)")
    }
  }

  @Test("The random points cover every kind of part and outcome")
  func coverage() {
    var counts: [String: Int] = [:]
    for seed in 0..<1_000 as Range<UInt64> {
      var generator = BlueprintGenerator(seed: seed)
      let (blueprint, flags, formula) = (generator.point(), generator.flags(), generator.formula())
      let reference = Reference(blueprint, in: flags)
      for verdict in Set(reference.findings.map(\.verdict)) { counts[verdict.description, default: 0] += 1 }
      if reference.ids.count > 2 { counts["several apply", default: 0] += 1 }
      if reference.ids != reference.findings.map(\.id).filter(reference.ids.contains) {
        counts["priority reorders", default: 0] += 1
      }
      if reference.findings.contains(where: { $0.value == 0 }) { counts["indeterminate inside", default: 0] += 1 }
      if blueprint.depth == 4 { counts["four levels", default: 0] += 1 }
      counts["rule \(formula.value(in: flags))", default: 0] += 1
    }
    let expected = [
      "selected", "available", "ruled out", "not evaluated", "several apply", "priority reorders",
      "indeterminate inside", "four levels", "rule 1", "rule 0", "rule -1",
    ]
    #expect(counts.filter { $0.value >= 100 }.keys.sorted() == expected.sorted(), "\(counts)")
  }
}

extension Blueprint {
  fileprivate var depth: Int {
    switch self {
    case .candidate: 0
    case .point(_, _, let parts): 1 + (parts.map(\.depth).max() ?? 0)
    }
  }
}

extension Explanation.Element {
  fileprivate var findings: [Reference.Finding] {
    [Reference.Finding(id: id, verdict: verdict, rank: rank, value: rule?.outcome.number)]
      + elements.flatMap(\.findings)
  }
}

extension RuleTrace.Outcome {
  fileprivate var number: Int {
    switch self {
    case .satisfied: 1
    case .indeterminate: 0
    case .unsatisfied: -1
    }
  }
}
