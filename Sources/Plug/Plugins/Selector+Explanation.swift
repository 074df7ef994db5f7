extension Selector {
  /// Evaluates each rule once, and tells from the traces what would be chosen.
  func explain(in context: Context, for injector: Injector) throws(InjectorError) -> Explanation {
    try ThreadContext.current.explaining(self, in: injector) { explanation { $0.trace(in: context) } }
  }

  /// The same; where the rules must not run, none of them can be decided, for that reason.
  func explanation(in context: Context) -> Explanation {
    do throws(InjectorError) {
      return try explain(in: context, for: .default)
    } catch {
      let reason = String(describing: error)
      return explanation { RuleTrace(name: "\($0)", outcome: .indeterminate, reason: reason) }
    }
  }

  /// Why no candidate has been chosen; without the rules, if that failure only decides another rule.
  func failure(in context: Context) -> Explanation {
    if ThreadContext.current.mayExplain { return explanation(in: context) }
    return explanation(isReached: false) { $0.trace(in: context) }
  }

  private func explanation(
    isReached: Bool = true, _ trace: @escaping (Rule<Context>) -> RuleTrace
  ) -> Explanation {
    var walk = ExplanationWalk<Service, Context>(trace: trace)
    let root = walk.point(name, rule, elements, isReached: isReached)
    let applying = walk.applying
    let chosen = candidates.filter { $0.cell === fallback || applying.contains($0.ordinal) }
    let ranks = Dictionary(uniqueKeysWithValues: chosen.enumerated().map { ($1.ordinal, $0 + 1) })
    var explained = rule.isAlways ? root.elements.map { $0.explained(ranks) } : [root.explained(ranks)]
    if fallback != nil { explained.append(Explanation.Element(fallbackWithRank: ranks[.max])) }
    return Explanation(subject: name, context: typeName(Context.self), elements: explained, decorators: decorators)
  }
}

/// Goes through the elements in declared order, and traces the rules that are reached.
private struct ExplanationWalk<Service: Sendable, Context: Sendable> {
  let trace: (Rule<Context>) -> RuleTrace
  /// The candidates that apply, by their places in declared order.
  private(set) var applying: Set<Int> = []
  private var ordinal = 0

  init(trace: @escaping (Rule<Context>) -> RuleTrace) {
    self.trace = trace
  }

  mutating func point(
    _ id: String, _ rule: Rule<Context>, _ elements: [PluginElement<Service, Context>], isReached: Bool
  ) -> Finding {
    let trace = isReached && !rule.isAlways ? trace(rule) : nil
    let isOpen = isReached && trace?.outcome ?? .satisfied == .satisfied
    let findings = elements.map { element in
      switch element {
      case .candidate(let element): candidate(element, isReached: isOpen)
      case .point(let inner): point(inner.id, inner.rule, inner.elements, isReached: isOpen)
      }
    }
    return Finding(id: id, isReached: isReached, applies: isOpen, trace: trace, elements: findings)
  }

  private mutating func candidate(_ candidate: Candidate<Service, Context>, isReached: Bool) -> Finding {
    let trace = isReached && !candidate.rule.isAlways ? trace(candidate.rule) : nil
    let applies = isReached && trace?.outcome ?? .satisfied == .satisfied
    defer { ordinal += 1 }
    if applies { applying.insert(ordinal) }
    return Finding(
      id: candidate.id, isReached: isReached, applies: applies, trace: trace,
      candidate: (ordinal: ordinal, priority: candidate.priority))
  }
}

/// What the walk has found out about a candidate or a point, before the candidates are ranked.
private struct Finding {
  let id: String
  let isReached: Bool
  let applies: Bool
  let trace: RuleTrace?
  var candidate: (ordinal: Int, priority: Int)?
  var elements: [Finding] = []

  func explained(_ ranks: [Int: Int]) -> Explanation.Element {
    let rank = candidate.flatMap { ranks[$0.ordinal] }
    let verdict: Explanation.Verdict =
      if !isReached { .notEvaluated } else if !applies { .ruledOut } else { rank == 1 ? .selected : .available }
    return Explanation.Element(
      id: id, isPoint: candidate == nil, verdict: verdict, rank: rank, priority: candidate?.priority ?? 0, rule: trace,
      elements: elements.map { $0.explained(ranks) })
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
