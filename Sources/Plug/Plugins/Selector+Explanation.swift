extension Selector {
  /// Evaluates each rule once, and tells from the traces what would be chosen.
  func explain(in context: Context, for injector: Injector) throws(InjectorError) -> Explanation {
    let switches = switches(for: injector)
    return try ThreadContext.current.explaining(self, in: injector) {
      explanation(in: context, switches) { $0.trace(in: context, from: injector) }
    }
  }

  /// The same; where the rules must not run, none of them can be decided, for that reason.
  func explanation(in context: Context, for injector: Injector) -> Explanation {
    do throws(InjectorError) {
      return try explain(in: context, for: injector)
    } catch {
      let reason = String(describing: error)
      return explanation(in: context, switches(for: injector)) {
        RuleTrace(name: "\($0)", outcome: .indeterminate, reason: reason)
      }
    }
  }

  /// The same, unless the injector has gone meanwhile.
  func explanation(in context: Context, for injector: Injector?) -> Explanation {
    if let injector { return explanation(in: context, for: injector) }
    return explanation(in: context) {
      RuleTrace(name: "\($0)", outcome: .indeterminate, reason: "the injector that was asked has been released")
    }
  }

  /// Why no candidate has been chosen; without the rules, if that failure only decides another rule.
  func failure(in context: Context, for injector: Injector) -> Explanation {
    if ThreadContext.current.mayExplain { return explanation(in: context, for: injector) }
    return explanation(in: context, switches(for: injector), isReached: false) { $0.trace(in: context, from: injector) }
  }

  private func explanation(
    in context: Context, _ switches: [Int: [Switches.Switch]] = [:], isReached: Bool = true,
    _ trace: @escaping (Rule<Context>) -> RuleTrace
  ) -> Explanation {
    var walk = ExplanationWalk<Service, Context>(switches: switches, isTraced: isReached, trace: trace)
    let root = walk.point(name, rule, elements, isReached: isReached)
    let (applying, health) = (walk.applying, health)
    let chosen = candidates.indices.filter {
      candidates[$0].cell === fallback
        ? switches[.max]?.first?.action != .disabled
        : applying.contains(candidates[$0].ordinal) && health[candidates[$0].ordinal]?.isRefused != true
    }
    let forced = chosen.first { switches[candidates[$0].ordinal]?.first?.action == .forced }
    let drawn = !lots.isEmpty ? drawn(chosen, in: context) : chosen
    let ordered = forced.map { forced in [forced] + drawn.filter { $0 != forced } } ?? drawn
    let ranks = Dictionary(uniqueKeysWithValues: ordered.enumerated().map { (candidates[$1].ordinal, $0 + 1) })
    let ranking = Ranking(
      ranks: ranks, draws: !lots.isEmpty ? draws(of: chosen, in: context) : [:], health: health,
      positions: Dictionary(uniqueKeysWithValues: candidates.enumerated().map { ($1.ordinal, $0) }),
      lots: !lots.isEmpty ? numbers(for: context) : [:], modules: modules)
    var explained = rule.isAlways ? root.elements.map { $0.explained(ranking) } : [root.explained(ranking)]
    if fallback != nil {
      explained.append(
        Explanation.Element(fallbackWithRank: ranks[.max], switches: switches[.max], module: ranking.modules[.max]))
    }
    return Explanation(subject: name, context: typeName(Context.self), elements: explained, decorators: decorators)
  }
}

extension Selector {
  /// How making candidates has failed, by their places in declared order.
  private var health: [Int: (failure: Explanation.Failure, isRefused: Bool)] {
    if !toleratesFailures { return [:] }
    let found = candidates.compactMap { candidate in
      candidate.cell.health?.explanation.map { (candidate.ordinal, $0) }
    }
    return Dictionary(uniqueKeysWithValues: found)
  }

  /// Which modules have registered candidates, by their places in declared order.
  private var modules: [Int: String] {
    let found = candidates.compactMap { candidate in
      candidate.cell.declaration.module.name.map { (candidate.ordinal, $0) }
    }
    return Dictionary(uniqueKeysWithValues: found)
  }

  /// What candidates that apply have drawn, by their places in declared order.
  private func draws(of chosen: [Int], in context: Context) -> [Int: Explanation.Draw] {
    var totals: [Int: Double] = [:]
    for index in chosen {
      if let draw = candidates[index].draw { totals[candidates[index].priority, default: 0] += draw.weight }
    }
    let numbers = numbers(for: context)
    var draws: [Int: Explanation.Draw] = [:]
    for index in chosen {
      guard let draw = candidates[index].draw, let total = totals[candidates[index].priority] else { continue }
      draws[candidates[index].ordinal] = Explanation.Draw(
        weight: draw.weight, total: min(total, .greatestFiniteMagnitude), identifier: draw.identifier(context),
        number: min((numbers[index] ?? 0) * total, .greatestFiniteMagnitude))
    }
    return draws
  }
}

/// What follows for candidates from which of them apply, by their places in declared order.
private struct Ranking {
  let ranks: [Int: Int]
  let draws: [Int: Explanation.Draw]
  let health: [Int: (failure: Explanation.Failure, isRefused: Bool)]
  /// The places in the order in which candidates are chosen, and what they draw, by these.
  let positions: [Int: Int]
  let lots: [Int: Double]
  let modules: [Int: String]
}

/// Goes through the elements in declared order, and traces the rules that are reached.
private struct ExplanationWalk<Service: Sendable, Context: Sendable> {
  let switches: [Int: [Switches.Switch]]
  /// Whether rules may run, also those that no choice would reach.
  let isTraced: Bool
  let trace: (Rule<Context>) -> RuleTrace
  /// The candidates that apply, by their places in declared order.
  private(set) var applying: Set<Int> = []
  private var ordinal = 0

  init(switches: [Int: [Switches.Switch]], isTraced: Bool, trace: @escaping (Rule<Context>) -> RuleTrace) {
    self.switches = switches
    self.isTraced = isTraced
    self.trace = trace
  }

  mutating func point(
    _ id: String, _ rule: Rule<Context>, _ elements: [PluginElement<Service, Context>], isReached: Bool
  ) -> Finding {
    let trace = isTraced && !rule.isAlways ? trace(rule) : nil
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
    let switches = switches[ordinal]
    let trace = isTraced && switches == nil && !candidate.rule.isAlways ? trace(candidate.rule) : nil
    let isSatisfied = isReached && trace?.outcome ?? .satisfied == .satisfied
    let applies = switches?.first.map { $0.action == .forced } ?? isSatisfied
    defer { ordinal += 1 }
    if applies { applying.insert(ordinal) }
    return Finding(
      id: candidate.id, isReached: isReached, applies: applies, trace: trace, switches: switches,
      candidate: (ordinal: ordinal, priority: candidate.priority, order: candidate.order))
  }
}

/// What the walk has found out about a candidate or a point, before the candidates are ranked.
private struct Finding {
  let id: String
  let isReached: Bool
  let applies: Bool
  let trace: RuleTrace?
  var switches: [Switches.Switch]?
  var candidate: (ordinal: Int, priority: Int, order: CandidateOrder)?
  var elements: [Finding] = []

  func explained(_ ranking: Ranking) -> Explanation.Element {
    let rank = candidate.flatMap { ranking.ranks[$0.ordinal] }
    let position = candidate.flatMap { ranking.positions[$0.ordinal] }
    let health = candidate.flatMap { ranking.health[$0.ordinal] }
    let isQuarantined = applies && health?.isRefused == true
    let verdict =
      isQuarantined ? .quarantined : Explanation.Verdict(switches, isReached: isReached, applies: applies, rank)
    return Explanation.Element(
      id: id, isPoint: candidate == nil, verdict: verdict, rank: rank, priority: candidate?.priority ?? 0, rule: trace,
      details: Explanation.Details(
        draw: candidate.flatMap { ranking.draws[$0.ordinal] },
        order: candidate.flatMap { Explanation.Order($0.order) }, switches: switches, failure: health?.failure,
        module: candidate.flatMap { ranking.modules[$0.ordinal] }, position: position,
        lot: position.flatMap { ranking.lots[$0] }),
      elements: elements.map { $0.explained(ranking) })
  }
}

extension Explanation.Element {
  /// The registration without a rule.
  init(fallbackWithRank rank: Int?, switches: [Switches.Switch]? = nil, module: String? = nil) {
    self.init(
      id: Fallback.id, isPoint: false,
      verdict: Explanation.Verdict(switches, isReached: true, applies: rank != nil, rank), rank: rank, priority: 0,
      rule: nil, details: Explanation.Details(switches: switches, module: module), elements: [])
  }
}

extension Explanation.Verdict {
  fileprivate init(_ switches: [Switches.Switch]?, isReached: Bool, applies: Bool, _ rank: Int?) {
    self =
      switch (switches?.first?.action, rank) {
      case (.disabled, _): .disabled
      case (_, 1): .selected
      case (_, _?): .available
      case (_, nil): !isReached ? .notEvaluated : applies ? .available : .ruledOut
      }
  }
}
