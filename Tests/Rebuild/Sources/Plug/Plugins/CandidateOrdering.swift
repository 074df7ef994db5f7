/// Candidates in the order in which they are chosen, with their rules ready to be tested.
package final class CandidateOrdering: Sendable {
  /// When a candidate, or what is in a point, applies.
  struct Condition: Sendable {
    /// `nil` if always.
    let test: RuleCondition.Test?
    /// What decides several conditions at once, and the number that satisfies this one.
    let decision: (shared: AnyDecision, number: Int)?
    /// The number of the gate around it, or -1.
    let gate: Int
    let constant: Bool?
  }

  package let entries: [Entry]
  /// The ids of the points around each candidate, the innermost last.
  package let points: [[String]]
  /// What layers say of the making of candidates, by their places.
  let guards: [Int: any CandidateGuard]
  let attachments = Attachments()
  /// Of each candidate.
  let conditions: [Condition]
  /// The rules of points.
  let gates: [Condition]
  /// Of each candidate with a weight.
  let lots: [Lot]
  let identifiers: [@Sendable (ContextReference) -> String]
  let sort: CandidateSort?

  init(_ elements: [Element], _ fallback: Entry?, name: String, points: [String], rule: RuleExpression) {
    var walk = Walk()
    walk.add(elements, in: name, points, rule, gate: -1)
    var found = walk.found.sorted { ($1.entry.priority, $0.place) < ($0.entry.priority, $1.place) }
    if found.contains(where: { !$0.entry.order.isEmpty }) {
      let sort = CandidateSort(found.map { ($0.entry.id, $0.entry.order) })
      found = sort.places.map { found[$0] }
      self.sort = sort
    } else {
      sort = nil
    }
    entries = found.map(\.entry) + (fallback.map { [$0] } ?? [])
    self.points = found.map(\.points) + (fallback.map { _ in [[]] } ?? [])
    guards = Dictionary(
      uniqueKeysWithValues: found.enumerated().compactMap { place, one in
        one.entry.cell.registration.candidateGuard.map { (place, $0) }
      })
    conditions = found.map { Condition($0.entry.rule, gate: $0.gate) } + (fallback.map { _ in [.always] } ?? [])
    gates = walk.gates
    (lots, identifiers) = Self.lots(found)
  }

  /// Of each candidate, whether it always applies or never; `nil` if that depends on the context.
  var constants: [Bool?] {
    conditions.map { condition in
      var constants = [condition.constant]
      var gate = condition.gate
      while gate >= 0 {
        constants.append(gates[gate].constant)
        gate = gates[gate].gate
      }
      return constants.contains(false) ? false : constants.contains(nil) ? nil : true
    }
  }

  private struct Found {
    let entry: Entry
    let point: String
    let points: [String]
    let gate: Int
    let place: Int
  }

  /// Goes through candidates and points as they stand.
  private struct Walk {
    var found: [Found] = []
    var gates: [Condition] = []

    mutating func add(
      _ elements: [Element], in point: String, _ points: [String], _ rule: RuleExpression, gate outer: Int
    ) {
      var gate = outer
      if !rule.isAlways {
        gates.append(Condition(rule, gate: outer))
        gate = gates.count - 1
      }
      for element in elements {
        switch element {
        case .candidate(let entry):
          found.append(Found(entry: entry, point: point, points: points, gate: gate, place: found.count))
        case .point(let id, let rule, let inner): add(inner, in: id, points + [id], rule, gate: gate)
        }
      }
    }
  }

  private static func lots(_ found: [Found]) -> ([Lot], [@Sendable (ContextReference) -> String]) {
    var known: [PropertyIdentity: Int] = [:]
    var (lots, identifiers): ([Lot], [@Sendable (ContextReference) -> String]) = ([], [])
    for (index, one) in found.enumerated() {
      guard let draw = one.entry.draw else { continue }
      let identifier = known[draw.property] ?? identifiers.count
      if identifier == identifiers.count {
        known[draw.property] = identifier
        identifiers.append(draw.identifier)
      }
      let name = "\(one.point.escapingColons):\(one.entry.id.escapingColons)"
      lots.append(Lot(index, one.entry.priority, identifier, weight: draw.weight, name: name))
    }
    return (lots, identifiers)
  }
}

extension CandidateOrdering.Condition {
  static var always: Self { Self(test: nil, decision: nil, gate: -1, constant: true) }

  init(_ rule: RuleExpression, gate: Int) {
    self.gate = gate
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

  private mutating func isOpen(_ gate: Int) -> Bool {
    if let known = gates[gate] { return known }
    let isOpen = isSatisfied(order.gates[gate])
    gates[gate] = isOpen
    return isOpen
  }

  private mutating func number(by asked: AnyDecision) throws -> Int? {
    if let decision, decision.shared === asked { return decision.number }
    decision = (asked, nil)
    let number = try asked.decide(context, injector)
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

  func drawn(_ chosen: [Int]) -> [Int] {
    if order.lots.isEmpty { return chosen }
    let numbers = numbers
    var result = chosen
    let rivals = chosen.indices.filter { numbers[chosen[$0]] != nil }
    for places in Dictionary(grouping: rivals, by: { order.entries[chosen[$0]].priority }).values {
      let drawn = places.map { (number: numbers[chosen[$0]] ?? .infinity, candidate: chosen[$0]) }
      for (place, next) in zip(places, drawn.sorted(by: <)) { result[place] = next.candidate }
    }
    return result
  }

  /// What each candidate with a weight draws.
  var numbers: [Int: Double] {
    let hashes = hashes
    return Dictionary(
      uniqueKeysWithValues: order.lots.map { ($0.candidate, $0.number(for: hashes[$0.identifier], below: .infinity)) })
  }

  private var hashes: [UInt64] { order.identifiers.map { drawHash(of: $0(context)) } }
}
