extension Selector {
  /// Brings candidates into the order in which they are chosen.
  static func arranged(_ candidates: [CompiledCandidate]) -> [CompiledCandidate] {
    let sorted = candidates.sorted { $0.precedes($1) }
    if sorted.allSatisfy(\.order.isEmpty) { return sorted }
    return sort(sorted).places.map { sorted[$0] }
  }

  /// Where candidates in the order of their priorities stand, and what is wrong with that.
  static func sort(_ candidates: [CompiledCandidate]) -> CandidateSort {
    CandidateSort(candidates.map { ($0.id, $0.order) })
  }

  /// What the candidates with weights draw with, and the properties that identify a context for them, each once.
  ///
  /// The heaviest come first, since what they draw is likeliest to spare the others a logarithm.
  static func lots(_ candidates: [CompiledCandidate]) -> ([Lot], [StoredProperty<Context, String>]) {
    var known: [StoredProperty<Context, String>.Identity: Int] = [:]
    var (lots, identifiers): ([Lot], [StoredProperty<Context, String>]) = ([], [])
    for (index, candidate) in candidates.enumerated() {
      guard let draw = candidate.draw else { continue }
      let identifier = known[draw.identifier.identity] ?? identifiers.count
      if identifier == identifiers.count {
        known[draw.identifier.identity] = identifier
        identifiers.append(draw.identifier)
      }
      lots.append(
        Lot(index, candidate.priority, identifier, weight: draw.weight, name: "\(candidate.point):\(candidate.id)"))
    }
    return (lots.sorted { $0.mean < $1.mean }, identifiers)
  }

  /// What is drawn among the first candidate that applies and its rivals: those that apply and have a weight, too, and
  /// the same priority.
  @inlinable
  func drawn(_ first: Int, in context: Context, from injector: Injector, _ cache: inout GateCache) -> Int {
    if identifiers.count == 1 {
      let winner = Lot.winner(of: lots, from: first, for: identifierHash(0, context))
      if winner == first || applies(winner, in: context, from: injector, &cache) { return winner }
    }
    return drawnStepwise(first, in: context) { applies($0, in: context, from: injector, &cache) }
  }

  /// The same, where the one that draws the least need not apply.
  @usableFromInline
  func drawnStepwise(_ first: Int, in context: Context, where applies: (Int) -> Bool) -> Int {
    guard let own = lots.first(where: { $0.candidate == first }) else { return first }
    let hashes = identifiers.indices.map { identifierHash($0, context) }
    var (winner, least) = (first, own.number(for: hashes[own.identifier], below: .infinity))
    for lot in lots where lot.candidate > first && lot.priority == own.priority {
      let number = lot.number(for: hashes[lot.identifier], below: least)
      if (number, lot.candidate) < (least, winner), applies(lot.candidate) {
        (winner, least) = (lot.candidate, number)
      }
    }
    return winner
  }

  /// The hash of what identifies a context.
  @inlinable
  func identifierHash(_ identifier: Int, _ context: Context) -> UInt64 {
    drawHash(of: identifiers[identifier](context))
  }

  /// The places of candidates that apply, with rivals in the order of what they have drawn.
  @usableFromInline
  func drawn(_ chosen: [Int], in context: Context) -> [Int] {
    let numbers = numbers(for: context)
    var result = chosen
    let rivals = chosen.indices.filter { numbers[chosen[$0]] != nil }
    for places in Dictionary(grouping: rivals, by: { candidates[chosen[$0]].priority }).values {
      let drawn = places.map { (number: numbers[chosen[$0]] ?? .infinity, candidate: chosen[$0]) }
      for (place, next) in zip(places, drawn.sorted(by: <)) { result[place] = next.candidate }
    }
    return result
  }

  /// What the candidates with weights draw for a context, by their places.
  func numbers(for context: Context) -> [Int: Double] {
    let hashes = identifiers.indices.map { identifierHash($0, context) }
    return Dictionary(
      uniqueKeysWithValues: lots.map { ($0.candidate, $0.number(for: hashes[$0.identifier], below: .infinity)) })
  }
}
