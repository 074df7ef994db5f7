/// A candidate with its registration, or the fallback.
package final class Entry: Sendable {
  let candidate: AnyCandidate
  /// The innermost enclosing point.
  let point: Gate?
  /// The innermost enclosing point that has a rule.
  let gate: Gate?
  let rule: RuleExpression
  package let cell: Cell
  /// Whether the candidate is drawn by its weight.
  package let isDrawn: Bool
  /// The policy of a layer for the candidate's construction.
  let candidateGuard: (any CandidateGuard)?

  init(_ candidate: AnyCandidate, in point: Gate? = nil, _ cell: Cell) {
    (self.candidate, self.point, self.cell) = (candidate, point, cell)
    (gate, rule, isDrawn) = (point?.gate, candidate.rule, candidate.draw != nil)
    candidateGuard = cell.registration.candidateGuard
  }

  package var id: String { candidate.id }
  package var priority: Int { candidate.priority }
  /// The ids of the candidates that precede this one, and of those that follow it, whatever the priorities.
  package var orders: (after: [String], before: [String]) { (candidate.order.after, candidate.order.before) }
  /// The id as it is suggested in place of one that no candidate has.
  var suggestion: InjectorError.Suggestion { .init(name: id, registeredAt: cell.registration.location) }
  /// The values that layers have added to the injection.
  package var values: [ObjectIdentifier: any Sendable] { cell.registration.recipe.extras?.values.layers ?? [:] }
  package var isFallback: Bool { candidate.number == AnyCandidate.fallback.number }
  var isContribution: Bool { rule.isAlways && !isDrawn && candidate.order.isEmpty }

  /// The enclosing points, innermost first.
  var points: some Sequence<Gate> {
    sequence(state: point) { next in
      defer { next = next?.outer }
      return next
    }
  }

  /// Whether the candidate is drawn, or its rule or the rule of an enclosing point depends on an identifier's bucket.
  package var isShare: Bool { isDrawn || rule.isShare || points.contains(where: \.rule.isShare) }

  /// `true` if the candidate always applies, `false` if it never does, `nil` if that depends on the context.
  package var constant: Bool? {
    var constant = rule.constant
    for point in points where constant != false && point.rule.constant != true { constant = point.rule.constant }
    return constant
  }
}

/// A point, whose rule gates the candidates and points in it.
final class Gate: Sendable {
  let id: String
  let rule: RuleExpression
  /// The enclosing point.
  let outer: Gate?
  /// Its position among the points of a selector.
  let number: Int

  init(_ id: String, _ rule: RuleExpression, in outer: Gate? = nil, addedTo elements: inout [ChoiceElement]) {
    (self.id, self.rule, self.outer) = (id, rule, outer)
    number = (elements.last { $0.point != nil }?.point?.number ?? -1) + 1
    elements.append(ChoiceElement(point: self))
  }

  /// This point, or the innermost one around it that has a rule.
  var gate: Gate? { rule.isAlways ? outer?.gate : self }
}

/// A candidate or a point. The elements of a point follow it, and refer to it.
struct ChoiceElement: Sendable {
  var entry: Entry?
  var point: Gate?

  var rule: RuleExpression { entry?.rule ?? point?.rule ?? .constant(true) }
  /// The enclosing point.
  var outer: Gate? { entry?.point ?? point?.outer }
}
