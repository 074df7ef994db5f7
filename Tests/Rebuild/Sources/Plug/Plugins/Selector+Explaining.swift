extension Selector {
  /// Explains a choice. Every rule is evaluated, also of candidates that come after the winner.
  func explanation(
    in context: ContextReference, for injector: Injector, _ registration: Registration
  ) -> Explanation {
    do throws(InjectorError) {
      return try evaluating(registration, for: injector) {
        let traced = TracedConditions()
        return explanation(in: context, for: injector) { $0.trace(in: context, from: injector, traced) }
      }.0
    } catch {
      let reason = String(describing: error)
      return explanation(in: context, for: injector) { rule in
        RuleTrace(name: rule.description(nested: false), outcome: .indeterminate, reason: reason)
      }
    }
  }

  private func explanation(
    in context: ContextReference, for injector: Injector, _ trace: (RuleExpression) -> RuleTrace
  ) -> Explanation {
    let order = order
    let hooks = Layers.hooks(of: injector)
    let findings = Findings()
    let verdicts = order.verdicts(of: hooks, in: injector)
    let said = hooks.map { $0.hook.notes(on: order, in: injector) }
    for (place, entry) in order.entries.enumerated() {
      let (registration, guarding) = (entry.cell.registration, order.guards[place])
      let notes = said.compactMap { $0[place] } + [guarding?.notes(on: registration)].compactMap(\.self)
      findings[entry] = Finding(
        verdict: verdicts[place] ?? .asItsRuleSays, refusal: guarding?.refusal(of: registration), notes: notes)
    }
    let root = Row.point(name, rule, elements, isReached: true, findings, trace)
    let applying = order.entries.indices.filter { index in
      let entry = order.entries[index]
      let finding = findings[entry]
      let isTried = finding?.verdict == .asItsRuleSays && finding?.refusal == nil
      return isTried && (entry.isFallback || finding?.applies == true)
    }
    let choosing = Choosing(order, context, injector)
    let forced = order.entries.indices.filter { verdicts[$0] == .forced && findings[order.entries[$0]]?.refusal == nil }
    for (rank, index) in (forced + choosing.drawn(applying)).enumerated() {
      findings[order.entries[index]]?.rank = rank + 1
    }
    let lots = choosing.numbers
    for (index, entry) in order.entries.enumerated() {
      let notes = findings[entry]?.notes ?? []
      findings[entry]?.details = details(of: entry, at: index, in: context, notes, applying, order, lots)
    }
    var elements = rule.isAlways ? root.elements.map { $0.explained(findings) } : [root.explained(findings)]
    if let fallback = order.entries.last, fallback.isFallback {
      elements.append(Row(fallback, isReached: true, nil).explained(findings))
    }
    let decorators = order.entries.first?.cell.registration.recipe.extras?.values.wraps.map(\.id) ?? []
    return Explanation(subject: name, context: typeName(contextType), elements: elements, decorators: decorators)
  }

  private func details(
    of entry: Entry, at index: Int, in context: ContextReference, _ notes: [Notes], _ applying: [Int],
    _ order: CandidateOrdering, _ lots: [Int: Double]
  ) -> Explanation.Details {
    var details = Explanation.Details()
    details.order = Explanation.Order(entry.order)
    details.notes = notes.flatMap(\.texts)
    for note in notes { details.values.merge(note.values) { $1 } }
    details.module = entry.cell.registration.location.module
    if !entry.isFallback {
      details.position = index
      details.lot = lots[index].map { min($0, .greatestFiniteMagnitude) }
    }
    guard let draw = entry.draw, let lot = lots[index], applying.contains(index) else { return details }
    let rivals = applying.map { order.entries[$0] }.filter { $0.priority == entry.priority }
    let total = rivals.reduce(0) { $0 + ($1.draw?.weight ?? 0) }
    details.draw = Explanation.Draw(
      weight: draw.weight, total: min(total, .greatestFiniteMagnitude), identifier: draw.identifier(context),
      number: min(lot * total, .greatestFiniteMagnitude))
    return details
  }

  /// The error of a choice that finds nothing.
  func failure(in context: ContextReference, for injector: Injector, _ registration: Registration) -> InjectorError {
    let facts = InjectorError.Facts(registration, in: injector, after: Level.current.with { $0.path })
    // While rules are evaluated, an explanation would evaluate more of them, and so on.
    let isEvaluating = Level.current.with { stack in stack.own.frames.contains { $0.registration.isChoice } }
    let explanation =
      isEvaluating
      ? Explanation(subject: name, context: typeName(contextType), elements: [])
      : explanation(in: context, for: injector, registration)
    return .noCandidate(facts, explanation)
  }
}

/// What is found out about a candidate.
private struct Finding {
  let verdict: Verdict
  /// Why it is not tried now, if it applies.
  let refusal: Explanation.Verdict?
  let notes: [Notes]
  var applies = false
  var rank: Int?
  var details = Explanation.Details()
}

/// What is found out about each candidate.
private final class Findings {
  private var known: [ObjectIdentifier: Finding] = [:]

  subscript(entry: AnyObject) -> Finding? {
    get { known[ObjectIdentifier(entry)] }
    set { known[ObjectIdentifier(entry)] = newValue }
  }
}

/// A candidate or a point with its trace. It is an object, and its parts are made by functions of their own, because
/// points may be nested a hundred deep on a small stack.
private final class Row {
  private let id: String
  private let entry: Entry?
  private let isReached: Bool
  private let trace: RuleTrace?
  private let isOpen: Bool
  var elements: [Row] = []

  init(point id: String, isReached: Bool, _ trace: RuleTrace?) {
    (self.id, entry, self.isReached, self.trace) = (id, nil, isReached, trace)
    isOpen = isReached && trace?.outcome ?? .satisfied == .satisfied
  }

  init(_ entry: Entry, isReached: Bool, _ trace: RuleTrace?) {
    (id, self.entry, self.isReached, self.trace) = (entry.id, entry, isReached, trace)
    isOpen = isReached && trace?.outcome ?? .satisfied == .satisfied
  }

  /// Evaluates the rule of a point, and if that is satisfied what is in it.
  static func point(
    _ id: String, _ rule: RuleExpression, _ elements: [Element], isReached: Bool, _ findings: Findings,
    _ trace: (RuleExpression) -> RuleTrace
  ) -> Row {
    let row = Row(point: id, isReached: isReached, rule.isAlways ? nil : trace(rule))
    for element in elements {
      switch element {
      case .candidate(let entry): row.elements.append(candidate(entry, isReached: row.isOpen, findings, trace))
      case .point(let id, let rule, let inner):
        row.elements.append(point(id, rule, inner, isReached: row.isOpen, findings, trace))
      }
    }
    return row
  }

  private static func candidate(
    _ entry: Entry, isReached: Bool, _ findings: Findings, _ trace: (RuleExpression) -> RuleTrace
  ) -> Row {
    let isDecided = findings[entry]?.verdict != .asItsRuleSays
    let row = Row(entry, isReached: isReached, isDecided || entry.rule.isAlways ? nil : trace(entry.rule))
    findings[entry]?.applies = row.isOpen
    return row
  }

  func explained(_ findings: Findings) -> Explanation.Element {
    if let entry { return candidate(entry, findings) }
    var inner: [Explanation.Element] = []
    for element in elements { inner.append(element.explained(findings)) }
    return point(inner)
  }

  private func point(_ inner: [Explanation.Element]) -> Explanation.Element {
    Explanation.Element(
      id: id, isPoint: true, verdict: !isReached ? .notEvaluated : isOpen ? .available : .ruledOut, rank: nil,
      priority: 0, rule: trace, elements: inner)
  }

  private func candidate(_ entry: Entry, _ findings: Findings) -> Explanation.Element {
    let finding = findings[entry]
    let verdict: Explanation.Verdict =
      switch (finding?.verdict, finding?.rank) {
      case (.refused(let verdict), _): verdict
      case (_, 1): .selected
      case (_, _?): .available
      case (let verdict, nil):
        (isOpen || verdict == .forced ? finding?.refusal : nil) ?? (isReached ? .ruledOut : .notEvaluated)
      }
    return Explanation.Element(
      id: id, isPoint: false, verdict: verdict, rank: finding?.rank, priority: entry.isFallback ? 0 : entry.priority,
      rule: trace, details: finding?.details ?? Explanation.Details(), elements: [])
  }
}
