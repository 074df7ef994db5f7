/// One choice among candidates: its inputs and its progress. It must not outlive its context.
package struct Choice {
  package let candidates: CandidateOrdering
  /// The registration of the candidates' service.
  package let service: Registration
  package let context: ContextReference
  /// The position of the chosen candidate.
  package var position = -1
  let injector: Injector
  /// The candidates of a point that is used without an injector.
  let standalone: StandaloneCandidates?
  /// The hash of the identifier, if all candidates are drawn by the same one.
  private var hash: UInt64?
  /// Parts that few choices have.
  var rare: Rare?

  final class Rare: OnDemand {
    /// The verdicts of hooks when the choice began, by the positions of candidates.
    var verdicts: [Int: Verdict] = [:]
    /// The candidates that could not be made, in order. A candidate that was not tried has no error.
    var failures: [(position: Int, error: (any Error)?)] = []
    /// Whether the registration of a chosen candidate has ended.
    var hasLost = false
    /// The positions of the candidates that can no longer be chosen.
    var passed: Set<Int> = []
    /// The results of gates, each of which is evaluated once.
    var gates: [Bool?] = []
    /// The candidate that the identifier keeps at the point of the last lot of a sticky draw.
    var kept: (point: String, identifier: String, candidate: String?)?
  }

  package var verdicts: [Int: Verdict] { rare?.verdicts ?? [:] }
  package var failures: [(position: Int, error: (any Error)?)] { rare?.failures ?? [] }
  var hasLost: Bool { rare?.hasLost ?? false }

  init(
    _ candidates: CandidateOrdering, _ service: Registration, in context: ContextReference, for injector: Injector,
    standalone: StandaloneCandidates? = nil
  ) {
    self.context = candidates.isRemembered ? context.remembering : context
    (self.candidates, self.service, self.injector, self.standalone) = (candidates, service, injector, standalone)
    if Layers.areWatched {
      let verdicts = candidates.verdicts(in: injector)
      if !verdicts.isEmpty { rare.orMade.verdicts = verdicts }
    }
  }

  package var candidate: Entry { candidates.entries[position] }
}

// Choosing.
extension Choice {
  /// Skips the candidates that are not tried now.
  ///
  /// - Returns: The verdict on each candidate in an explanation; `nil` for a candidate that is tried.
  @discardableResult
  mutating func passUntried() -> [Explanation.Verdict?] {
    let refusals = candidates.entries.map { $0.candidateGuard?.refusal(of: $0.cell.registration) }
    let passed = refusals.indices.filter { refusals[$0] != nil }
    if !passed.isEmpty { rare.orMade.passed = Set(passed) }
    return refusals
  }

  /// Chooses the first candidate that applies and has not been passed over.
  ///
  /// - Returns: Whether there is one.
  mutating func next() throws -> Bool {
    var found = rare == nil ? nil : forced.first
    do {
      if found == nil {
        try evaluating { choice in
          found = choice.first()
          return found != nil
        }
      }
    } catch {
      throw rare?.failures.lazy.compactMap(\.error).first ?? error
    }
    position = found ?? -1
    return found != nil
  }

  /// The positions of all candidates that apply, in order.
  mutating func all() throws -> [Int] {
    var chosen = forced
    try evaluating { choice in
      let entries = choice.candidates.entries
      chosen += choice.drawn(entries.indices.filter { choice.applies(entries[$0], at: $0) })
      return !chosen.isEmpty
    }
    return chosen
  }

  /// The positions of the candidates that come first, regardless of their rules.
  var forced: [Int] {
    guard let rare, !rare.verdicts.isEmpty else { return [] }
    return sorted(rare.verdicts.keys.filter { rare.verdicts[$0] == .forced && !rare.passed.contains($0) }, <)
  }

  /// Whether rules decide about a candidate.
  func isOpen(_ position: Int) -> Bool {
    guard let rare else { return true }
    return rare.verdicts[position] == nil && !rare.passed.contains(position)
  }

  /// Evaluates rules in a level of their own, so that a rule that requests this service is reported as a cycle.
  ///
  /// - Parameter body: Returns whether it has found a candidate. If it has not, and a cycle or a lack of stack left a
  ///   rule undecided, that error is thrown.
  @inline(never)
  mutating func evaluating(_ body: (inout Choice) -> Bool) throws {
    let thread = ThreadStack.current
    let outer = try beginEvaluating(on: thread)
    let hasFound = body(&self)
    let interruption = try thread.with { stack in try stack.endEvaluating(outer) }
    if !hasFound, let interruption { throw interruption }
  }

  // Not inlined, since the compiler copies `evaluating` for each closure.
  @inline(never)
  private func beginEvaluating(on thread: ThreadStack) throws -> InjectorError? {
    rare?.gates = []
    return try thread.with { stack in try stack.beginEvaluating(service, for: injector) }
  }

  private mutating func first() -> Int? {
    let entries = candidates.entries
    for position in entries.indices {
      let entry = entries[position]
      if applies(entry, at: position) { return entry.isDrawn ? draw(from: position) : position }
    }
    return nil
  }

  /// Draws one of the candidates with a weight and the priority of the first one that applies.
  @inline(never)
  private mutating func draw(from first: Int) -> Int {
    let (entries, lots) = (candidates.entries, candidates.lots)
    guard let lot = lots[first] else { return first }
    var (winner, least) = (first, number(of: lot, at: first))
    for rival in (first + 1)..<entries.count {
      guard let other = lots[rival], other.priority == lot.priority else { continue }
      let number = number(of: other, at: rival, below: least)
      if (number, rival) < (least, winner), applies(entries[rival], at: rival) { (winner, least) = (rival, number) }
    }
    return winner
  }

  private mutating func applies(_ entry: Entry, at position: Int) -> Bool {
    isOpen(position) && isOpen(entry.gate) && entry.rule.evaluate(in: context, from: injector) == .satisfied
  }

  private mutating func isOpen(_ gate: Gate?) -> Bool {
    guard let gate else { return true }
    let rare = rare.orMade
    if rare.gates.isEmpty { rare.gates = Array(repeating: nil, count: candidates.points.count) }
    if let known = rare.gates[gate.number] { return known }
    let isOpen = isOpen(gate.outer?.gate) && gate.rule.evaluate(in: context, from: injector) == .satisfied
    rare.gates[gate.number] = isOpen
    return isOpen
  }

  /// Sorts the weighted candidates of each priority by their draws. All other candidates keep their positions.
  mutating func drawn(_ chosen: [Int]) -> [Int] {
    let entries = candidates.entries
    let indices = chosen.indices.filter { entries[chosen[$0]].isDrawn }
    if indices.isEmpty { return chosen }
    var numbers = Array(repeating: 0.0, count: entries.count)
    for index in indices { numbers[chosen[index]] = number(at: chosen[index]) ?? 0 }
    let rivals = sorted(indices.map { chosen[$0] }) {
      (entries[$1].priority, numbers[$0], $0) < (entries[$0].priority, numbers[$1], $1)
    }
    let free = sorted(indices) { (entries[chosen[$1]].priority, $0) < (entries[chosen[$0]].priority, $1) }
    var result = chosen
    for (index, rival) in zip(free, rivals) { result[index] = rival }
    return result
  }

  /// The number that a candidate draws; `nil` if it has no weight.
  mutating func number(at position: Int) -> Double? {
    candidates.lots[position].map { number(of: $0, at: position) }
  }

  private mutating func number(of lot: Lot, at position: Int, below least: Double = .infinity) -> Double {
    if lot.isSticky, isKept(position) { return 0 }
    return lot.number(for: hash ?? identifierHash(at: position), below: least)
  }

  @inline(never)
  private mutating func identifierHash(at position: Int) -> UInt64 {
    guard let draw = candidates.entries[position].candidate.draw else { return 0 }
    let new = drawHash(of: draw.identifier(context))
    if candidates.isDrawnByOne { hash = new }
    return new
  }

  @inline(never)
  private mutating func isKept(_ position: Int) -> Bool {
    let entry = candidates.entries[position]
    guard let draw = entry.candidate.draw else { return false }
    let (rare, identifier, point) = (rare.orMade, draw.identifier(context), entry.point?.id ?? candidates.name)
    if rare.kept?.point != point || rare.kept?.identifier != identifier {
      rare.kept = (point, identifier, identifier.isEmpty ? nil : draw.assignments?.find(identifier, point))
    }
    return rare.kept?.candidate == entry.id
  }

  /// Has the identifier keep the candidate that it has drawn. After a failure, and while the one that it has is
  /// disabled, it keeps what it has.
  mutating func keep() {
    // Asks again if the last lot was of another point or identifier.
    guard let rare, rare.passed.isEmpty, rare.kept != nil, candidate.isDrawn, !isKept(position) else { return }
    guard let kept = rare.kept, !kept.identifier.isEmpty else { return }
    if rare.verdicts.keys.contains(where: { candidates.entries[$0].id == kept.candidate }) { return }
    candidate.candidate.draw?.assignments?.set(candidate.id, kept.identifier, kept.point)
  }
}
