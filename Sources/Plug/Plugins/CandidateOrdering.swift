/// Candidates in the order in which they are chosen, with their rules ready to be tested.
package final class CandidateOrdering: Sendable {
  /// When a candidate, or what is in a point, applies.
  struct Condition: Sendable {
    /// `nil` if always.
    let test: RuleCondition.Look<Bool>?
    /// What decides several conditions at once, and the number that satisfies this one.
    let decision: (shared: AnyDecision, number: Int)?
    /// The number of the gate around it, or -1.
    let gate: Int
    let constant: Bool?
  }

  package let entries: [Entry]
  /// The candidates and points as they were declared.
  let elements: [Element]
  /// Of each candidate besides the fallback, its place among the elements.
  let declared: [Int]
  /// What layers say of the making of candidates, by their places.
  let guards: [Int: any CandidateGuard]
  /// The id of a point that is used by itself.
  private let standalone: String?
  private let attachments = Attachments()
  /// Of each candidate.
  let conditions: [Condition]
  /// The points, by their numbers, and their rules.
  let points: [Gate]
  let gates: [Condition]
  /// Of each candidate with a weight.
  let lots: [Lot]
  let identifiers: [@Sendable (ContextReference) -> String]
  let sort: CandidateSort?

  /// - Parameter isStandalone: Whether they are those of a point which is used by itself.
  init(_ elements: [Element], _ fallback: Entry?, name: String, isStandalone: Bool = false) {
    var declared: [Int] = []
    var found: [Entry] = []
    var points: [Gate] = []
    for (place, element) in elements.enumerated() {
      switch element {
      case .candidate(let entry):
        declared.append(place)
        found.append(entry)
      case .point(let point): points.append(point)
      }
    }
    var order = Array(found.indices)
    // The complement puts the highest priority first.
    let priorities = found.map { ~$0.priority }
    if priorities.contains(where: { $0 != priorities[0] }) { order = sorted(order, by: priorities) }
    var sort: CandidateSort?
    if found.contains(where: { !$0.order.isEmpty }) {
      let sorted = CandidateSort(order.map { (found[$0].id, found[$0].order) })
      order = sorted.places.map { order[$0] }
      sort = sorted
    }
    let entries = order.map { found[$0] } + [fallback].compactMap(\.self)
    self.sort = sort
    self.elements = elements
    self.points = points
    self.entries = entries
    self.declared = order.map { declared[$0] }
    conditions = entries.map { Condition($0.rule, in: $0.point) }
    gates = points.map { Condition($0.rule, in: $0.outer) }
    (lots, identifiers) = Self.lots(entries, name)
    standalone = isStandalone ? name : nil
    var guards: [Int: any CandidateGuard] = [:]
    for (place, entry) in entries.enumerated() { guards[place] = entry.cell.registration.candidateGuard }
    self.guards = guards
  }

  package var cells: [Cell] { entries.map(\.cell) }

  /// The ids of the points around a candidate, the innermost last.
  package func points(around place: Int) -> [String] {
    var ids: [String] = []
    var point = entries[place].point
    while let open = point {
      ids.append(open.id)
      point = open.outer
    }
    if let standalone, ids.last != standalone { ids.append(standalone) }
    return ids.reversed()
  }

  /// Of each candidate, whether it always applies or never; `nil` if that depends on the context.
  var constants: [Bool?] { conditions.map(constant) }

  private func constant(_ condition: Condition) -> Bool? {
    guard condition.gate >= 0, condition.constant != false else { return condition.constant }
    let outer = constant(gates[condition.gate])
    return outer == true ? condition.constant : outer
  }

  private static func lots(_ entries: [Entry], _ name: String) -> ([Lot], [@Sendable (ContextReference) -> String]) {
    var known: [ConditionSubject] = []
    var (lots, identifiers): ([Lot], [@Sendable (ContextReference) -> String]) = ([], [])
    for (index, entry) in entries.enumerated() {
      guard let draw = entry.draw else { continue }
      let identifier = known.firstIndex(of: draw.property) ?? known.count
      if identifier == known.count {
        known.append(draw.property)
        identifiers.append(draw.identifier)
      }
      let name = "\((entry.point?.id ?? name).escapingColons):\(entry.id.escapingColons)"
      lots.append(Lot(index, entry.priority, identifier, weight: draw.weight, name: name))
    }
    return (lots, identifiers)
  }
}

extension CandidateOrdering.Condition {
  init(_ rule: RuleExpression, in point: Gate?) {
    var point = point
    while let open = point, open.rule.isAlways { point = open.outer }
    gate = point?.number ?? -1
    constant = rule.constant
    switch rule {
    case .constant(true): (test, decision) = (nil, nil)
    case .condition(let condition): (test, decision) = (condition.test, condition.decision)
    default:
      test = { context, injector in rule.evaluate(in: context, from: injector) == .satisfied }
      decision = nil
    }
  }
}

extension String {
  /// The text with a backslash before each colon and backslash, so that several joined by colons are told apart.
  fileprivate var escapingColons: String {
    if !utf8.contains(where: { $0 == 0x3A || $0 == 0x5C }) { return self }
    return reduce(into: "") { text, character in
      if character == ":" || character == "\\" { text.append("\\") }
      text.append(character)
    }
  }
}

extension CandidateOrdering {
  package func attachment<Object: AnyObject & Sendable>(_ type: Object.Type, _ make: () -> Object) -> Object {
    attachments.object(type, make)
  }
}

/// Sorts places by the priorities, then the numbers that are known there, then as they are numbered themselves.
@inline(never)
private func sorted(_ places: [Int], by priorities: [Int], _ numbers: [Double?] = []) -> [Int] {
  places.sorted { first, second in
    let (one, other) = (priorities[first], priorities[second])
    if one != other || numbers.isEmpty { return (one, first) < (other, second) }
    return (numbers[first] ?? 0, first) < (numbers[second] ?? 0, second)
  }
}

/// One choice: what its gates and decisions have come to, each evaluated once.
struct Choosing {
  let order: CandidateOrdering
  let context: ContextReference
  let injector: Injector
  /// The candidates that rules do not decide about.
  private let decided: Set<Int>
  private var gates: [Bool?]
  private var decision: (shared: AnyDecision, number: Int?)?

  init(
    _ order: CandidateOrdering, _ context: ContextReference, _ injector: Injector, without decided: Set<Int> = []
  ) {
    self.decided = decided
    self.order = order
    self.context = context
    self.injector = injector
    gates = order.gates.isEmpty ? [] : Array(repeating: nil, count: order.gates.count)
  }

  /// Whether a candidate applies.
  mutating func applies(_ index: Int) -> Bool {
    (decided.isEmpty || !decided.contains(index)) && isSatisfied(order.conditions[index])
  }

  private mutating func isSatisfied(_ condition: CandidateOrdering.Condition) -> Bool {
    if condition.gate >= 0, !isOpen(condition.gate) { return false }
    do {
      if let decision = condition.decision { return try number(by: decision.shared) == decision.number }
      return try condition.test?(context, injector) ?? true
    } catch {
      ResolutionStack.noteInterruption(error)
      return false
    }
  }

  @inline(never)
  private mutating func isOpen(_ gate: Int) -> Bool {
    if let known = gates[gate] { return known }
    let isOpen = isSatisfied(order.gates[gate])
    gates[gate] = isOpen
    return isOpen
  }

  @inline(never)
  private mutating func number(by asked: AnyDecision) throws -> Int? {
    if let decision, decision.shared === asked { return decision.number }
    decision = (asked, nil)
    let number = try asked.value(context, injector)
    decision = (asked, number)
    return number
  }

  /// The candidates that apply, in the order in which they are chosen; with weights, in the order of the draw.
  mutating func applying() -> [Int] {
    drawn(order.entries.indices.filter { applies($0) })
  }

  mutating func first() -> Int? {
    for index in order.entries.indices where applies(index) {
      return order.lots.isEmpty ? index : drawn(from: index)
    }
    return nil
  }

  /// The winner among the candidates that have a weight and the priority of the first that applies.
  private mutating func drawn(from first: Int) -> Int {
    guard let own = order.lots.first(where: { $0.candidate == first }) else { return first }
    let hashes = hashes
    var (winner, least) = (first, own.number(for: hashes[own.identifier], below: .infinity))
    for lot in order.lots where lot.candidate > first && lot.priority == own.priority {
      let number = lot.number(for: hashes[lot.identifier], below: least)
      if (number, lot.candidate) < (least, winner), applies(lot.candidate) { (winner, least) = (lot.candidate, number) }
    }
    return winner
  }

  /// Puts the rivals among some candidates in the order of the draw. Those of one priority change places.
  func drawn(_ chosen: [Int]) -> [Int] {
    if order.lots.isEmpty { return chosen }
    let (numbers, priorities) = (numbers, order.entries.map(\.priority))
    let rivals = chosen.filter { numbers[$0] != nil }
    let places = chosen.indices.filter { numbers[chosen[$0]] != nil }
    let drawn = sorted(rivals, by: priorities, numbers)
    var result = chosen
    for (place, rival) in zip(sorted(places, by: chosen.map { priorities[$0] }), drawn) { result[place] = rival }
    return result
  }

  /// What each candidate with a weight draws.
  var numbers: [Double?] {
    let hashes = hashes
    var numbers: [Double?] = Array(repeating: nil, count: order.entries.count)
    for lot in order.lots { numbers[lot.candidate] = lot.number(for: hashes[lot.identifier], below: .infinity) }
    return numbers
  }

  private var hashes: [UInt64] { order.identifiers.map { drawHash(of: $0(context)) } }
}
