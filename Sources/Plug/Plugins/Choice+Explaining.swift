extension Choice {
  /// The error of a choice that finds no candidate.
  func failure(_ facts: InjectorError.Facts? = nil) -> InjectorError {
    // While rules are evaluated, an explanation would evaluate them again, without end.
    let isEvaluating = ThreadStack.current.with { stack in stack.own.frames.contains { $0.registration.isChoice } }
    return .noCandidate(facts ?? injector.facts(about: service), explanation(isEvaluated: !isEvaluating))
  }

  /// Explains the choice as it would be made now. Every rule is evaluated, even the rules of candidates after
  /// the winner.
  ///
  /// - Parameter isEvaluated: Whether rules are evaluated.
  func explanation(isEvaluated: Bool = true) -> Explanation {
    var choice = Choice(candidates, service, in: context, for: injector)
    var findings = choice.passUntried().map { Finding(untried: $0) }
    findings += Array(repeating: Finding(), count: candidates.points.count)
    if isEvaluated {
      do {
        try choice.evaluating { choice in
          choice.trace(&findings)
          return true
        }
      } catch {
        choice.trace(&findings, String(describing: error))
      }
      choice.rank(&findings)
    }
    return Explanation(
      subject: candidates.name, context: typeName(candidates.contextType), elements: choice.elements(findings),
      decorators: candidates.entries.first?.cell.registration.decorators ?? [])
  }

  /// Evaluates all rules, in declared order.
  ///
  /// - Parameter reason: Why the rules cannot be evaluated; `nil` if they can.
  private func trace(_ findings: inout [Finding], _ reason: String? = nil) {
    let traced = TracedConditions()
    for (element, position) in zip(candidates.elements, candidates.positions) {
      let rule = verdicts[position] == nil ? element.rule : .constant(true)
      findings[position].isReached = element.outer.map { findings[index(of: $0)].isOpen } ?? true
      if rule.isAlways { continue }
      findings[position].trace =
        if let reason {
          RuleTrace(name: rule.description(nested: false), outcome: .indeterminate, reason: reason)
        } else {
          rule.trace(in: context, from: injector, traced)
        }
    }
  }

  private func index(of point: Gate) -> Int { candidates.entries.count + point.number }

  /// Finds the order of the applicable candidates.
  private mutating func rank(_ findings: inout [Finding]) {
    let positions = candidates.entries.indices
    for position in positions {
      findings[position].lot = number(at: position)
      findings[position].applies = isOpen(position) && findings[position].isOpen
    }
    let chosen = forced + drawn(positions.filter { findings[$0].applies })
    for (rank, position) in chosen.enumerated() { findings[position].rank = rank + 1 }
  }

  /// The explanations of candidates and points in declared order. It is not recursive, because points may be nested a
  /// hundred deep on a small stack.
  private func elements(_ findings: [Finding]) -> [Explanation.Element] {
    let notes = Layers.verdictHooks(of: injector).map { $0.notes(on: candidates, in: injector) }
    // In reverse, so that a point comes after its elements. The last list has the elements outside of points.
    let count = candidates.points.count
    var inner: [[Explanation.Element]] = Array(repeating: [], count: count + 1)
    for index in candidates.elements.indices.reversed() {
      let (element, position) = (candidates.elements[index], candidates.positions[index])
      let explained: Explanation.Element
      if let point = element.point {
        explained = Explanation.Element(
          id: point.id, isPoint: true, verdict: findings[position].isOpen ? .available : findings[position].refusal,
          rule: findings[position].trace, elements: inner[point.number].reversed())
      } else {
        explained = self.element(at: position, findings, notes)
      }
      inner[element.outer?.number ?? count].append(explained)
    }
    return inner[count].reversed()
  }

  private func element(at position: Int, _ findings: [Finding], _ notes: [[Int: Notes]]) -> Explanation.Element {
    let (entry, finding) = (candidates.entries[position], findings[position])
    var verdict = finding.refusal
    if case .refused(let refused) = verdicts[position] {
      verdict = refused
    } else if let rank = finding.rank {
      verdict = rank == 1 ? .selected : .available
    } else if let untried = finding.untried, finding.isOpen || verdicts[position] == .forced {
      verdict = untried
    }
    let registration = entry.cell.registration
    let layers = notes.map { $0[position] } + [entry.candidateGuard?.notes(on: registration)]
    let draw = finding.applies ? draw(of: entry, findings, finding.lot) : nil
    let all = (layers + [draw, order(of: entry)]).compactMap(\.self)
    var details: [String: RuleTrace.Value] = [:]
    for notes in all { details.merge(notes.values) { $1 } }
    if !entry.isFallback { details["position"] = .number(Double(position)) }
    details["lot"] = finding.lot.map { .number(min($0, .greatestFiniteMagnitude)) }
    return Explanation.Element(
      id: entry.id, verdict: verdict, rank: finding.rank, priority: entry.priority,
      rule: finding.trace, notes: all.flatMap(\.texts), module: registration.location.module, details: details)
  }

  /// The weight of a candidate, the sum of all weights, and the number drawn for the identifier, from an exponential
  /// distribution with the mean `total / weight`. The lowest number wins.
  private func draw(of entry: Entry, _ findings: [Finding], _ number: Double?) -> Notes? {
    guard let draw = entry.candidate.draw, let number else { return nil }
    let identifier = draw.property.isPrivate ? hidden : draw.identifier(context)
    var total = 0.0
    for (rival, finding) in zip(candidates.entries, findings)
    where finding.applies && rival.priority == entry.priority {
      total += rival.candidate.draw?.weight ?? 0
    }
    let drawn = min(number * total, .greatestFiniteMagnitude)
    total = min(total, .greatestFiniteMagnitude)
    let text = "weight \(shortest(draw.weight)) of \(shortest(total)), drew \(decimal(drawn)) for \(quoted(identifier))"
    let value = RuleTrace.Value(members: [
      "weight": .number(draw.weight), "total": .number(total), "identifier": .string(identifier),
      "number": .number(drawn),
    ])
    return ([text], ["draw": value])
  }

  /// The candidates that a candidate must follow and precede, whatever the priorities.
  private func order(of entry: Entry) -> Notes? {
    let order = entry.candidate.order
    let sides = [("after", order.after), ("before", order.before)]
    let texts = sides.filter { !$1.isEmpty }.map { side, ids in "\(side) " + ids.joined(separator: " and ") }
    let values = sides.map { side, ids in (side, RuleTrace.Value(ids)) }
    return texts.isEmpty ? nil : (texts, ["order": .object(Dictionary(uniqueKeysWithValues: values))])
  }
}

/// The findings about a candidate or a point.
private struct Finding {
  var trace: RuleTrace?
  /// Whether the enclosing points are open.
  var isReached = false
  /// The verdict on a candidate that is not tried now.
  var untried: Explanation.Verdict?
  var applies = false
  var rank: Int?
  var lot: Double?

  var isOpen: Bool { isReached && trace?.outcome ?? .satisfied == .satisfied }
  var refusal: Explanation.Verdict { isReached ? .ruledOut : .notEvaluated }
}
