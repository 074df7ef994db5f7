extension Selector {
  /// Explains a choice. Every rule is evaluated, also of candidates that come after the winner.
  func explanation(
    in context: Context, for injector: Injector, _ registration: Registration
  ) -> Explanation {
    do throws(InjectorError) {
      return try evaluating(registration, for: injector) {
        explanation(in: context, for: injector) { $0.trace(in: context, from: injector) }
      }.0
    } catch {
      let reason = String(describing: error)
      return explanation(in: context, for: injector) { rule in
        RuleTrace(name: "\(rule)", outcome: .indeterminate, reason: reason)
      }
    }
  }

  private func explanation(
    in context: Context, for injector: Injector, _ trace: @escaping (Rule<Context>) -> RuleTrace
  ) -> Explanation {
    let order = order
    let hooks = Layers.hooks(of: injector)
    var findings: [ObjectIdentifier: Finding] = [:]
    for entry in order.entries {
      let registration = entry.cell.registration
      let verdicts = hooks.map { $0.hook.verdict(on: registration, in: injector) }
      findings[ObjectIdentifier(entry)] = Finding(
        verdict: verdicts.first { $0 != .asItsRuleSays } ?? .asItsRuleSays,
        notes: hooks.flatMap { $0.hook.notes(on: registration, in: injector) })
    }
    let root = Walk(trace: trace).point(name, rule, elements, isReached: true, &findings)
    let applying = order.entries.indices.filter { index in
      let entry = order.entries[index]
      let finding = findings[ObjectIdentifier(entry)]
      return finding?.verdict == .asItsRuleSays && (entry.isFallback || finding?.applies == true)
    }
    let choosing = Choosing(order, context, injector)
    let forced = order.entries.indices.filter { findings[ObjectIdentifier(order.entries[$0])]?.verdict == .forced }
    for (rank, index) in (forced + choosing.drawn(applying)).enumerated() {
      findings[ObjectIdentifier(order.entries[index])]?.rank = rank + 1
    }
    let lots = choosing.numbers
    for (index, entry) in order.entries.enumerated() {
      let key = ObjectIdentifier(entry)
      let notes = findings[key]?.notes ?? []
      findings[key]?.details = details(of: entry, at: index, in: context, notes, applying, order, lots)
    }
    var elements = rule.isAlways ? root.elements.map { $0.explained(findings) } : [root.explained(findings)]
    if let fallback = order.entries.last, fallback.isFallback {
      elements.append(Row(entry: fallback, isReached: true, trace: nil).explained(findings))
    }
    let decorators = order.entries.first?.cell.registration.recipe.extras?.values.wraps.map(\.id) ?? []
    return Explanation(subject: name, context: typeName(Context.self), elements: elements, decorators: decorators)
  }

  private func details(
    of entry: Entry<Context>, at index: Int, in context: Context, _ notes: [String], _ applying: [Int],
    _ order: CandidateOrdering<Context>, _ lots: [Int: Double]
  ) -> Explanation.Details {
    var details = Explanation.Details()
    details.order = Explanation.Order(entry.order)
    details.notes = notes
    details.module = entry.cell.registration.location.module
    if !entry.isFallback {
      details.position = index
      details.lot = lots[index]
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
  func failure(in context: Context, for injector: Injector, _ registration: Registration) -> InjectorError {
    let facts = InjectorError.Facts(registration, in: injector, after: Level.current.with { $0.path })
    // While rules are evaluated, an explanation would evaluate more of them, and so on.
    let isEvaluating = Level.current.with { stack in stack.own.frames.contains { $0.registration.isChoice } }
    let explanation =
      isEvaluating
      ? Explanation(subject: name, context: typeName(Context.self), elements: [])
      : explanation(in: context, for: injector, registration)
    return .noCandidate(facts, explanation)
  }
}

/// What is found out about a candidate.
private struct Finding {
  let verdict: Verdict
  let notes: [String]
  var applies = false
  var rank: Int?
  var details = Explanation.Details()
}

/// A candidate or a point with its trace.
private struct Row<Context: Sendable> {
  var id: String?
  var entry: Entry<Context>?
  let isReached: Bool
  let trace: RuleTrace?
  var isOpen = false
  var elements: [Row] = []

  func explained(_ findings: [ObjectIdentifier: Finding]) -> Explanation.Element {
    guard let entry else {
      return Explanation.Element(
        id: id ?? "", isPoint: true, verdict: !isReached ? .notEvaluated : isOpen ? .available : .ruledOut, rank: nil,
        priority: 0, rule: trace, elements: elements.map { $0.explained(findings) })
    }
    let finding = findings[ObjectIdentifier(entry)]
    let verdict: Explanation.Verdict =
      switch (finding?.verdict, finding?.rank) {
      case (.disabled, _): .disabled
      case (_, 1): .selected
      case (_, _?): .available
      case (_, nil): isReached ? .ruledOut : .notEvaluated
      }
    return Explanation.Element(
      id: entry.id, isPoint: false, verdict: verdict, rank: finding?.rank,
      priority: entry.isFallback ? 0 : entry.priority, rule: trace, details: finding?.details ?? Explanation.Details(),
      elements: [])
  }
}

/// Evaluates the rules of a point from the outside in.
private struct Walk<Context: Sendable> {
  let trace: (Rule<Context>) -> RuleTrace

  func point(
    _ id: String, _ rule: Rule<Context>, _ elements: [Element<Context>], isReached: Bool,
    _ findings: inout [ObjectIdentifier: Finding]
  ) -> Row<Context> {
    let trace = rule.isAlways ? nil : trace(rule)
    let isOpen = isReached && trace?.outcome ?? .satisfied == .satisfied
    let rows = elements.map { element -> Row<Context> in
      switch element {
      case .candidate(let entry): return candidate(entry, isReached: isOpen, &findings)
      case .point(let id, let rule, let inner): return point(id, rule, inner, isReached: isOpen, &findings)
      }
    }
    return Row(id: id, isReached: isReached, trace: trace, isOpen: isOpen, elements: rows)
  }

  private func candidate(
    _ entry: Entry<Context>, isReached: Bool, _ findings: inout [ObjectIdentifier: Finding]
  ) -> Row<Context> {
    let isDecided = findings[ObjectIdentifier(entry)]?.verdict != .asItsRuleSays
    let trace = isDecided || entry.rule.isAlways ? nil : trace(entry.rule)
    findings[ObjectIdentifier(entry)]?.applies = isReached && trace?.outcome ?? .satisfied == .satisfied
    return Row(entry: entry, isReached: isReached, trace: trace)
  }
}
