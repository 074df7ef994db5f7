extension Selector {
  /// Brings candidates into the order in which they are chosen.
  static func arranged(_ candidates: [CompiledCandidate]) -> [CompiledCandidate] {
    let sorted = candidates.sorted { $0.precedes($1) }
    if sorted.allSatisfy(\.order.isEmpty) { return sorted }
    return sort(sorted).places.map { sorted[$0] }
  }

  /// Where they stand, and what is wrong with that.
  static func sort(_ candidates: [CompiledCandidate]) -> CandidateSort {
    CandidateSort(candidates.sorted { $0.precedes($1) }.map { ($0.id, $0.order) })
  }

  /// What is drawn among the first candidate that applies and its rivals: those that apply and have a weight, too, and
  /// the same priority.
  @inlinable
  func drawn(_ first: Int, in context: Context, from injector: Injector, _ cache: inout GateCache) -> Int {
    guard candidates[first].draw != nil else { return first }
    let priority = candidates[first].priority
    var (winner, least, hash) = (first, Double.infinity, IdentifierHash())
    for index in first..<candidates.count {
      let candidate = candidates[index]
      if candidate.priority != priority {
        if isReordered { continue } else { break }
      }
      guard let number = candidate.draw?.number(for: context, below: least, &hash) else { continue }
      guard index == first || candidate.applies(in: context, from: injector, &cache) else { continue }
      (winner, least) = (index, number)
    }
    return winner
  }

  /// The places of candidates that apply, with rivals in the order of what they have drawn.
  @usableFromInline
  func drawn(_ chosen: [Int], in context: Context) -> [Int] {
    let rivals = chosen.indices.filter { candidates[chosen[$0]].draw != nil }
    var result = chosen
    for places in Dictionary(grouping: rivals, by: { candidates[chosen[$0]].priority }).values {
      let drawn = places.map { (number: number(of: chosen[$0], in: context), candidate: chosen[$0]) }
      for (place, next) in zip(places, drawn.sorted(by: <)) { result[place] = next.candidate }
    }
    return result
  }

  /// What a candidate with a weight draws for a context.
  func number(of candidate: Int, in context: Context) -> Double {
    var hash = IdentifierHash()
    return candidates[candidate].draw?.number(for: context, below: .infinity, &hash) ?? .infinity
  }
}
