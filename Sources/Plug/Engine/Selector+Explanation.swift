extension Selector {
  func explain(in context: Context) -> Explanation {
    var verdicts = Verdicts(gates, context)
    let ranked = slots.filter { verdicts.applies($0) }.map(\.ordinal)
    let ranks = Dictionary(uniqueKeysWithValues: ranked.enumerated().map { ($1, $0 + 1) })
    var walk = ExplanationWalk<Service, Context>(context: context, ranks: ranks)
    let isOpen = rule.isAlways || rule.evaluate(in: context) == .satisfied
    var explained = walk.explain(elements, isReached: isOpen)
    if fallback != nil {
      explained.append(Explanation.Element(fallbackWithRank: ranks[slots.count - 1]))
    }
    if !rule.isAlways {
      explained = [walk.gate(name, rule, elements: explained, isReached: true)]
    }
    return Explanation(subject: name, context: typeName(Context.self), elements: explained)
  }
}

/// Goes through the elements in declared order.
private struct ExplanationWalk<Service: Sendable, Context: Sendable> {
  let context: Context
  /// The places of the candidates that apply, by their places in declared order.
  let ranks: [Int: Int]
  var ordinal = 0

  mutating func explain(
    _ elements: [PluginElement<Service, Context>], isReached: Bool
  ) -> [Explanation.Element] {
    elements.map { element in
      switch element {
      case .candidate(let candidate):
        return explain(candidate, isReached: isReached)
      case .point(let point):
        let isOpen = isReached && point.rule.evaluate(in: context) == .satisfied
        return gate(point.id, point.rule, elements: explain(point.elements, isReached: isOpen), isReached: isReached)
      }
    }
  }

  func gate(
    _ id: String, _ rule: Rule<Context>, elements: [Explanation.Element], isReached: Bool
  ) -> Explanation.Element {
    let trace = isReached && !rule.isAlways ? rule.trace(in: context) : nil
    let isOpen = (trace?.outcome ?? .satisfied) == .satisfied
    return Explanation.Element(
      id: id, isPoint: true, verdict: !isReached ? .notEvaluated : isOpen ? .available : .ruledOut,
      rank: nil, priority: 0, rule: trace, elements: elements)
  }

  private mutating func explain(_ candidate: Candidate<Service, Context>, isReached: Bool) -> Explanation.Element {
    let rank = ranks[ordinal]
    ordinal += 1
    let verdict: Explanation.Verdict =
      switch rank {
      case 1: .selected
      case .some: .available
      case nil: isReached ? .ruledOut : .notEvaluated
      }
    return Explanation.Element(
      id: candidate.id, isPoint: false, verdict: verdict, rank: rank, priority: candidate.priority,
      rule: isReached && !candidate.rule.isAlways ? candidate.rule.trace(in: context) : nil, elements: [])
  }
}

extension Explanation.Element {
  /// The registration without a rule.
  init(fallbackWithRank rank: Int?) {
    self.init(
      id: Fallback.id, isPoint: false, verdict: rank == 1 ? .selected : .available, rank: rank, priority: 0, rule: nil,
      elements: [])
  }
}
