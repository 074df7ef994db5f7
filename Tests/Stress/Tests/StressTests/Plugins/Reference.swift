import Plug
import TestSupport

/// The expected answer of a point in a context, found without Plug by a naive walk through its description.
struct Reference {
  /// The expected explanation of a candidate or a point.
  struct Finding: Equatable {
    let id: String
    var verdict: Explanation.Verdict
    var rank: Int?
    /// The value of the rule, if there is one.
    let value: Int?
  }

  /// The candidates and points, in declared order.
  private(set) var findings: [Finding] = []

  /// The ids of the candidates that apply, in order.
  private(set) var ids: [String] = []

  private var applying: [(id: String, priority: Int)] = []

  init(_ blueprint: Blueprint, in flags: Flags) {
    visit(blueprint, in: flags, isReached: true)
    if case .point(_, nil, _) = blueprint { findings.removeFirst() }
    rankThoseThatApply()
  }

  private mutating func visit(_ blueprint: Blueprint, in flags: Flags, isReached: Bool) {
    switch blueprint {
    case .candidate(let id, let priority, let rule):
      let value = rule?.value(in: flags)
      let applies = isReached && (value ?? 1) == 1
      if applies { applying.append((id, priority)) }
      let verdict: Explanation.Verdict = applies ? .available : isReached ? .ruledOut : .notEvaluated
      findings.append(Finding(id: id, verdict: verdict, rank: nil, value: value))
    case .point(let id, let gate, let parts):
      let value = gate?.value(in: flags)
      let isOpen = isReached && (value ?? 1) == 1
      let verdict: Explanation.Verdict = isOpen ? .available : isReached ? .ruledOut : .notEvaluated
      findings.append(Finding(id: id, verdict: verdict, rank: nil, value: value))
      for part in parts { visit(part, in: flags, isReached: isOpen) }
    }
  }

  /// Takes the first candidate with the highest priority again and again.
  private mutating func rankThoseThatApply() {
    while let highest = applying.map(\.priority).max(),
      let next = applying.firstIndex(where: { $0.priority == highest })
    {
      ids.append(applying.remove(at: next).id)
    }
    for index in findings.indices {
      guard let place = ids.firstIndex(of: findings[index].id) else { continue }
      findings[index].rank = place + 1
      if place == 0 { findings[index].verdict = .selected }
    }
  }
}

extension Formula {
  /// The value in Kleene's logic: 1 is true, -1 is false, 0 is indeterminate.
  func value(in flags: Flags) -> Int {
    switch self {
    case .constant(let value): value ? 1 : -1
    case .flag(let index): (flags.bits >> UInt64(index)) % 2 == 1 ? 1 : -1
    case .failing: 0
    case .not(let part): -part.value(in: flags)
    case .and(let left, let right): min(left.value(in: flags), right.value(in: flags))
    case .or(let left, let right): max(left.value(in: flags), right.value(in: flags))
    case .all(let parts): parts.map { $0.value(in: flags) }.min() ?? 1
    case .any(let parts): parts.map { $0.value(in: flags) }.max() ?? -1
    case .none(let parts): -(parts.map { $0.value(in: flags) }.max() ?? -1)
    }
  }
}
