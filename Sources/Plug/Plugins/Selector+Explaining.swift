extension Selector {
  /// Explains a choice. Every rule is evaluated, also of candidates that come after the winner.
  ///
  /// - Parameter registration: What is chosen for; `nil` if no rule is to be evaluated.
  func explanation(
    in context: ContextReference, for injector: Injector, _ registration: Registration?
  ) -> Explanation {
    let findings = Findings(order, context, injector)
    if let registration {
      do throws(InjectorError) {
        _ = try evaluating(registration, for: injector) { findings.trace(nil) }
      } catch {
        findings.trace(String(describing: error))
      }
      findings.rank()
    }
    let decorators = cells.first?.registration.decorators ?? []
    return Explanation(
      subject: name, context: typeName(contextType), elements: findings.elements(), decorators: decorators)
  }

  /// The error of a choice that finds nothing.
  func failure(in context: ContextReference, for injector: Injector, _ registration: Registration) -> InjectorError {
    let facts = InjectorError.Facts(registration, in: injector, after: Level.current.with { $0.path })
    // While rules are evaluated, an explanation would evaluate more of them, and so on.
    let isEvaluating = Level.current.with { stack in stack.own.frames.contains { $0.registration.isChoice } }
    return .noCandidate(facts, explanation(in: context, for: injector, isEvaluating ? nil : registration))
  }
}

/// What is found out about the candidates and points of a choice, each by its place or number.
private final class Findings {
  /// What is found out about one of them.
  private struct Finding {
    var trace: RuleTrace?
    /// Whether the points around it are open.
    var isReached = true
    var isOpen: Bool { isReached && trace?.outcome ?? .satisfied == .satisfied }
  }

  private let order: CandidateOrdering
  private let context: ContextReference
  private let injector: Injector
  private let verdicts: [Verdict]
  /// Why candidates are not tried now, if they apply.
  private let refusals: [Explanation.Verdict?]
  private let notes: [[Notes]]
  private let traced = TracedConditions()
  /// Of each element that is a candidate, its place in the order of choice.
  private let places: [Int]
  private var points: [Finding] = []
  private var candidates: [Finding] = []
  private var applying: [Int] = []
  private var ranks: [Int?] = []
  private var lots: [Double?] = []

  init(_ order: CandidateOrdering, _ context: ContextReference, _ injector: Injector) {
    let hooks = Layers.hooks(of: injector)
    (self.order, self.context, self.injector) = (order, context, injector)
    let decided = order.verdicts(of: hooks, in: injector)
    let said = hooks.map { $0.hook.notes(on: order, in: injector) }
    verdicts = order.entries.indices.map { decided[$0] ?? .asItsRuleSays }
    refusals = order.entries.enumerated().map { order.guards[$0]?.refusal(of: $1.cell.registration) }
    notes = order.entries.enumerated().map { place, entry in
      let own = order.guards[place]?.notes(on: entry.cell.registration)
      return said.compactMap { $0[place] } + [own].compactMap(\.self)
    }
    var places = Array(repeating: 0, count: order.elements.count)
    for (place, declared) in order.declared.enumerated() { places[declared] = place }
    self.places = places
    points = Array(repeating: Finding(isReached: false), count: order.points.count)
    candidates = Array(repeating: Finding(isReached: false), count: order.entries.count)
    lots = Array(repeating: nil, count: candidates.count)
    ranks = lots.map { _ in nil }
  }

  /// Evaluates all rules, as they were declared.
  ///
  /// - Parameter reason: Why none can be evaluated; `nil` if they can.
  func trace(_ reason: String?) {
    (points, candidates) = ([], Array(repeating: Finding(), count: order.entries.count))
    for (declared, element) in order.elements.enumerated() {
      switch element {
      case .candidate(let entry):
        let isDecided = verdicts[places[declared]] != .asItsRuleSays
        let finding = finding(isDecided ? .constant(true) : entry.rule, in: entry.point, reason)
        candidates[places[declared]] = finding
      case .point(let point): points.append(finding(point.rule, in: point.outer, reason))
      }
    }
  }

  private func finding(_ rule: RuleExpression, in point: Gate?, _ reason: String?) -> Finding {
    var trace: RuleTrace?
    if let reason, !rule.isAlways {
      trace = RuleTrace(name: rule.description(nested: false), outcome: .indeterminate, reason: reason)
    } else if !rule.isAlways {
      trace = rule.trace(in: context, from: injector, traced)
    }
    return Finding(trace: trace, isReached: point.map { points[$0.number].isOpen } ?? true)
  }

  /// Finds the order of those that apply.
  func rank() {
    let choosing = Choosing(order, context, injector)
    lots = choosing.numbers
    let tried = candidates.indices.filter { refusals[$0] == nil }
    applying = tried.filter { verdicts[$0] == .asItsRuleSays && candidates[$0].isOpen }
    let forced = tried.filter { verdicts[$0] == .forced }
    for (rank, place) in (forced + choosing.drawn(applying)).enumerated() { ranks[place] = rank + 1 }
  }

  /// The explanations of candidates and points as they were declared. It does not call itself for points in points,
  /// because those may be nested a hundred deep on a small stack.
  func elements() -> [Explanation.Element] {
    // From the end, so that each point comes after what is in it. The last list has what is in no point.
    var inner: [[Explanation.Element]] = Array(repeating: [], count: points.count + 1)
    if let fallback = order.entries.last, fallback.isFallback {
      inner[points.count].append(candidate(fallback, at: order.entries.count - 1))
    }
    for (declared, element) in order.elements.enumerated().reversed() {
      switch element {
      case .candidate(let entry):
        inner[entry.point?.number ?? points.count].append(candidate(entry, at: places[declared]))
      case .point(let point):
        let explained = explain(point, inner[point.number].reversed())
        inner[point.outer?.number ?? points.count].append(explained)
      }
    }
    return inner[points.count].reversed()
  }

  private func explain(_ point: Gate, _ inner: [Explanation.Element]) -> Explanation.Element {
    let finding = points[point.number]
    let verdict: Explanation.Verdict = !finding.isReached ? .notEvaluated : finding.isOpen ? .available : .ruledOut
    return Explanation.Element(
      id: point.id, isPoint: true, verdict: verdict, rank: nil, priority: 0, rule: finding.trace, elements: inner)
  }

  private func candidate(_ entry: Entry, at place: Int) -> Explanation.Element {
    let verdict: Explanation.Verdict =
      switch (verdicts[place], ranks[place]) {
      case (.refused(let verdict), _): verdict
      case (_, 1): .selected
      case (_, _?): .available
      case (let verdict, nil):
        (candidates[place].isOpen || verdict == .forced ? refusals[place] : nil)
          ?? (candidates[place].isReached ? .ruledOut : .notEvaluated)
      }
    return Explanation.Element(
      id: entry.id, isPoint: false, verdict: verdict, rank: ranks[place],
      priority: entry.isFallback ? 0 : entry.priority, rule: candidates[place].trace,
      details: details(entry, at: place),
      elements: [])
  }

  /// What is to be said of few candidates.
  private func details(_ entry: Entry, at place: Int) -> [String: RuleTrace.Value] {
    var details: [String: RuleTrace.Value] = [:]
    for notes in notes[place] { details.merge(notes.values) { $1 } }
    let texts = notes[place].flatMap(\.texts)
    if !texts.isEmpty { details["notes"] = RuleTrace.Value(texts: texts) }
    details["module"] = entry.cell.registration.location.module.map { .string($0) }
    if !entry.order.isEmpty {
      details["order"] = RuleTrace.Value(members: [
        "after": RuleTrace.Value(texts: entry.order.after), "before": RuleTrace.Value(texts: entry.order.before),
      ])
    }
    if !entry.isFallback {
      details["position"] = .of(place)
      details["lot"] = lots[place].map { .number(min($0, .greatestFiniteMagnitude)) }
    }
    guard let draw = entry.draw, let lot = lots[place], applying.contains(place) else { return details }
    var total = 0.0
    for rival in applying where order.entries[rival].priority == entry.priority {
      total += order.entries[rival].draw?.weight ?? 0
    }
    details["draw"] = RuleTrace.Value(members: [
      "weight": .number(draw.weight), "total": .number(min(total, .greatestFiniteMagnitude)),
      "identifier": .string(draw.identifier(context)), "number": .number(min(lot * total, .greatestFiniteMagnitude)),
    ])
    return details
  }
}
