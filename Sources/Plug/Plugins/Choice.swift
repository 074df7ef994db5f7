/// One choice among candidates: its inputs and its progress. It must not outlive its context.
package struct Choice {
  package let candidates: CandidateOrdering
  /// The registration of the candidates' service.
  package let service: Registration
  package let context: ContextReference
  /// The verdicts of hooks when the choice began, by the positions of candidates.
  package let verdicts: [Int: Verdict]
  /// The position of the chosen candidate.
  package private(set) var place = -1
  /// The candidates that could not be made, in order. A candidate that was not tried has no error.
  package private(set) var failures: [(place: Int, error: InjectorError?)] = []
  let injector: Injector
  /// The home of the instances of a point that is used without an injector.
  private let home: PointHome?
  /// Whether the registration of a chosen candidate has ended.
  private(set) var hasLost = false
  /// The candidates that can no longer be chosen.
  private var passed: [Int] = []
  /// The results of gates and decisions, each of which is evaluated once.
  private var gates: [Bool?] = []
  private var decision: (shared: AnyDecision, number: Int?)?
  /// The hashes of the identifiers that candidates are drawn by.
  private var hashes: [(property: ConditionSubject, hash: UInt64)] = []

  /// - Parameter isWatched: Whether hooks decide, too.
  init(
    _ candidates: CandidateOrdering, _ service: Registration, in context: ContextReference, for injector: Injector,
    home: PointHome? = nil, isWatched: Bool = true
  ) {
    (self.candidates, self.service, self.context) = (candidates, service, context)
    (self.injector, self.home) = (injector, home)
    // `[:]` is not specialized while Plug is optimized for size.
    verdicts = isWatched && Layers.areWatched ? candidates.verdicts(in: injector) : Dictionary()
  }

  package var candidate: Entry { candidates.entries[place] }
}

// Choosing.
extension Choice {
  /// Chooses among the candidates that are tried now, without making one; `nil` if no candidate applies.
  package mutating func winner() throws(InjectorError) -> Cell? {
    passUntried()
    return try next() ? candidate.cell : nil
  }

  /// Skips the candidates that are not tried now.
  ///
  /// - Returns: The verdict on each candidate in an explanation; `nil` for a candidate that is tried.
  @discardableResult
  mutating func passUntried() -> [Explanation.Verdict?] {
    let refusals = candidates.entries.map { $0.candidateGuard?.refusal(of: $0.cell.registration) }
    for place in refusals.indices where refusals[place] != nil { passed.append(place) }
    return refusals
  }

  /// Chooses the first candidate that applies and has not been passed over.
  ///
  /// - Returns: Whether there is one.
  private mutating func next() throws(InjectorError) -> Bool {
    var found = forced.first
    do throws(InjectorError) {
      if found == nil {
        try evaluating { choice in
          found = choice.first()
          return found != nil
        }
      }
    } catch {
      throw failures.lazy.compactMap(\.error).first ?? error
    }
    place = found ?? -1
    return found != nil
  }

  /// The places of all candidates that apply, in order.
  mutating func all() throws(InjectorError) -> [Int] {
    var chosen = forced
    try evaluating { choice in
      let entries = choice.candidates.entries
      chosen += choice.drawn(entries.indices.filter { choice.applies(entries[$0], at: $0) })
      return !chosen.isEmpty
    }
    return chosen
  }

  /// The places of the candidates that come first, regardless of their rules.
  var forced: [Int] {
    if verdicts.isEmpty { return [] }
    return sorted(verdicts.keys.filter { verdicts[$0] == .forced && !passed.contains($0) }, <)
  }

  /// Whether rules decide about a candidate.
  func isOpen(_ place: Int) -> Bool {
    (verdicts.isEmpty || verdicts[place] == nil) && (passed.isEmpty || !passed.contains(place))
  }

  /// Evaluates rules in a level of their own, so that a rule that requests this service is reported as a cycle.
  ///
  /// - Parameter body: Returns whether it has found a candidate. If it has not, and a cycle or a lack of stack left a
  ///   rule undecided, that error is thrown.
  @inline(never)
  mutating func evaluating(_ body: (inout Choice) -> Bool) throws(InjectorError) {
    let level = Level.current
    let outer = try level.with { (stack) throws(InjectorError) in
      try stack.beginEvaluating(service, for: injector)
    }
    (gates, decision) = ([], nil)
    let hasFound = body(&self)
    let interruption = try level.with { (stack) throws(InjectorError) in try stack.endEvaluating(outer) }
    if !hasFound, let interruption { throw interruption }
  }

  private mutating func first() -> Int? {
    let entries = candidates.entries
    for place in entries.indices {
      let own = entries[place]
      guard applies(own, at: place) else { continue }
      guard let lot = own.lot else { return place }
      // One of the candidates with a weight and the same priority is drawn.
      var (winner, least) = (place, number(of: lot))
      for rival in (place + 1)..<entries.count where entries[rival].priority == own.priority {
        guard let lot = entries[rival].lot else { continue }
        let number = number(of: lot, below: least)
        if (number, rival) < (least, winner), applies(entries[rival], at: rival) { (winner, least) = (rival, number) }
      }
      return winner
    }
    return nil
  }

  private mutating func applies(_ entry: Entry, at place: Int) -> Bool {
    isOpen(place) && isOpen(entry.point) && isSatisfied(entry.rule)
  }

  private mutating func isOpen(_ gate: Gate?) -> Bool {
    guard let gate else { return true }
    if gate.rule.isAlways { return isOpen(gate.outer) }
    if gates.isEmpty { gates = Array(repeating: nil, count: candidates.points.count) }
    if let known = gates[gate.number] { return known }
    let isOpen = isOpen(gate.outer) && isSatisfied(gate.rule)
    gates[gate.number] = isOpen
    return isOpen
  }

  private mutating func isSatisfied(_ rule: RuleExpression) -> Bool {
    guard case .condition(let condition) = rule else {
      return rule.evaluate(in: context, from: injector) == .satisfied
    }
    if let decision = condition.decision { return number(by: decision.shared) == decision.number }
    return condition.evaluate(in: context, from: injector) == .satisfied
  }

  private mutating func number(by asked: AnyDecision) -> Int? {
    if let decision, decision.shared === asked { return decision.number }
    decision = (asked, nil)
    do {
      let number = try asked.value(context, injector)
      decision = (asked, number)
      return number
    } catch {
      ResolutionStack.noteInterruption(error)
      return nil
    }
  }

  /// Sorts the weighted candidates of each priority by their draws. All other candidates keep their places.
  mutating func drawn(_ chosen: [Int]) -> [Int] {
    let entries = candidates.entries
    let indices = chosen.indices.filter { entries[chosen[$0]].lot != nil }
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
  mutating func number(at place: Int) -> Double? { candidates.entries[place].lot.map { number(of: $0) } }

  private mutating func number(of lot: Lot, below least: Double = .infinity) -> Double {
    if let known = hashes.first(where: { $0.property == lot.draw.property }) {
      return lot.number(for: known.hash, below: least)
    }
    let hash = drawHash(of: lot.draw.identifier(context))
    hashes.append((lot.draw.property, hash))
    return lot.number(for: hash, below: least)
  }
}

// Making the chosen candidate.
extension Choice {
  /// Makes the first candidate that applies and can be made.
  mutating func makeFirst() throws(InjectorError) -> AnyBox? {
    try injector.refuseCapture(of: service)
    while try next() { if let box = try make() { return box } }
    if let error = failures.lazy.compactMap(\.error).first { throw error }
    return nil
  }

  /// Makes all candidates that apply and can be made.
  mutating func makeAll() throws(InjectorError) -> [(id: String, box: AnyBox)] {
    try injector.refuseCapture(of: service)
    var boxes: [(id: String, box: AnyBox)] = []
    for place in try all() {
      self.place = place
      if let box = try make() { boxes.append((candidate.id, box)) }
    }
    return boxes
  }

  /// Makes the chosen candidate.
  ///
  /// - Returns: `nil` if the candidate is passed over.
  private mutating func make() throws(InjectorError) -> AnyBox? {
    let (entry, registration) = (candidate, candidate.cell.registration)
    var (attempt, round): ((any CandidateAttempt)?, LoadRound?)
    if let candidateGuard = entry.candidateGuard {
      round = Level.current.with { $0.own.round }
      attempt = round?.take(registration) ?? candidateGuard.attempt(at: registration)
      if attempt == nil { return pass(nil) }
    }
    Layers.note(.chosen(self), in: injector)
    do throws(InjectorError) {
      guard let box = try provide(entry.cell) else {
        passed.append(place)
        hasLost = true
        return nil
      }
      _ = attempt?.end(nil)
      Layers.note(.given(self), in: injector)
      Layers.watch?.note(.given(self), in: injector)
      return box
    } catch {
      if let attempt, let round, error.isRetried {
        round.keep(attempt, at: registration)
        throw error
      }
      guard attempt?.end(error) == true else { throw error }
      _ = pass(error)
      Layers.note(.passed(self, error), in: injector)
      return nil
    }
  }

  private mutating func pass(_ error: InjectorError?) -> AnyBox? {
    passed.append(place)
    failures.append((place, error))
    return nil
  }

  /// - Returns: `nil` if the candidate has been unregistered.
  private func provide(_ cell: Cell) throws(InjectorError) -> AnyBox? {
    if let home { return try home.provide(cell, of: candidates.name) }
    if cell.registration.depth == 0, let box = cell.published.box { return box }
    if cell.claim.withLock({ $0.isRetired }) { return nil }
    do throws(InjectorError) {
      let box = try injector.provide(cell)
      // The candidate's factory may have unregistered the candidate, so that the instance is closed.
      return cell.registration.isKept && cell.claim.withLock({ $0.isRetired }) ? nil : box
    } catch {
      if case .notRegistered = error, cell.claim.withLock({ $0.isRetired }) { return nil }
      throw error
    }
  }
}
