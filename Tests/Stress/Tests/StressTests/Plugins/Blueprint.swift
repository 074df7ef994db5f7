import Plug
import TestSupport

/// The context of random points: a set of flags.
struct Flags: Sendable {
  static let count = 6
  let bits: UInt64
}

/// A rule as plain data.
indirect enum Formula: Sendable {
  case constant(Bool)
  case flag(Int)
  case failing
  case not(Formula)
  case and(Formula, Formula)
  case or(Formula, Formula)
  case all([Formula])
  case any([Formula])
  case none([Formula])

  var rule: Rule<Flags> {
    switch self {
    case .constant(let value): value ? .always : .never
    case .flag(let index): Rule("flag \(index)") { $0.bits & (1 << index) != 0 }
    case .failing: Rule("failing") { _ in throw Unknowable() }
    case .not(let part): !part.rule
    case .and(let left, let right): left.rule && right.rule
    case .or(let left, let right): left.rule || right.rule
    case .all(let parts): parts.map(\.rule).reduce(.always, &&)
    case .any(let parts): parts.map(\.rule).reduce(.never, ||)
    case .none(let parts): !parts.map(\.rule).reduce(.never, ||)
    }
  }
}

/// A candidate or a point as plain data.
indirect enum Blueprint: Sendable {
  case candidate(id: String, priority: Int, rule: Formula?)
  case point(id: String, gate: Formula?, parts: [Blueprint])

  var id: String {
    switch self {
    case .candidate(let id, _, _), .point(let id, _, _): id
    }
  }

  /// The ids of all parts, at any depth.
  var idsInside: [String] {
    switch self {
    case .candidate: []
    case .point(_, _, let parts): parts.flatMap { [$0.id] + $0.idsInside }
    }
  }

  /// The description without the part of this id.
  func removing(_ id: String) -> Blueprint {
    switch self {
    case .candidate: self
    case .point(let own, let gate, let parts):
      .point(id: own, gate: gate, parts: parts.filter { $0.id != id }.map { $0.removing(id) })
    }
  }

  /// The described point. The service of each candidate is its id.
  var point: PluginPoint<String, Flags> {
    switch self {
    case .candidate: PluginPoint("around \(id)") { element }
    case .point(let id, let gate, let parts):
      PluginPoint(id, when: gate?.rule ?? .always) { for part in parts { part.element } }
    }
  }

  @PluginBuilder<String, Flags> private var element: PluginBuilder<String, Flags> {
    switch self {
    case .candidate(let id, let priority, let rule):
      Candidate(id, priority: priority) { id }.when(rule?.rule ?? .always)
    case .point:
      point
    }
  }
}

/// Makes random descriptions, equal ones for equal seeds.
struct BlueprintGenerator {
  private var random: SplitMix64
  private var count = 0

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// A point with nested points, up to four levels deep.
  mutating func point() -> Blueprint { point(levels: 4) }

  mutating func flags() -> Flags { Flags(bits: random.next() % (1 << UInt64(Flags.count))) }

  mutating func formula() -> Formula { formula(levels: 3) }

  mutating func element<Element>(of array: [Element]) -> Element? { array.randomElement(using: &random) }

  private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  private mutating func name(_ kind: String) -> String {
    count += 1
    return "\(kind)\(count)"
  }

  private mutating func point(levels: Int) -> Blueprint {
    let id = name("p")
    let gate = chance(60) ? optionalFormula() : nil
    var parts: [Blueprint] = []
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      parts.append(levels > 1 && chance(35) ? point(levels: levels - 1) : candidate())
    }
    return .point(id: id, gate: gate, parts: parts)
  }

  private mutating func candidate() -> Blueprint {
    let rule = chance(70) ? optionalFormula() : nil
    return .candidate(id: name("c"), priority: Int.random(in: -1...2, using: &random), rule: rule)
  }

  /// A rule that is always satisfied counts as no rule.
  private mutating func optionalFormula() -> Formula? {
    let formula = formula()
    return formula.rule.description == Rule<Flags>.always.description ? nil : formula
  }

  private mutating func formula(levels: Int) -> Formula {
    switch levels > 1 ? Int.random(in: 0..<14, using: &random) : Int.random(in: 0..<7, using: &random) {
    case 0: return .constant(chance(50))
    case 1: return .failing
    case 2...6: return .flag(Int.random(in: 0..<Flags.count, using: &random))
    case 7, 8: return .not(formula(levels: levels - 1))
    case 9: return .and(formula(levels: levels - 1), formula(levels: levels - 1))
    case 10: return .or(formula(levels: levels - 1), formula(levels: levels - 1))
    case 11: return .all(formulas(levels: levels - 1))
    case 12: return .any(formulas(levels: levels - 1))
    default: return .none(formulas(levels: levels - 1))
    }
  }

  private mutating func formulas(levels: Int) -> [Formula] {
    var formulas: [Formula] = []
    for _ in 0..<Int.random(in: 0...3, using: &random) { formulas.append(formula(levels: levels)) }
    return formulas
  }
}

struct Unknowable: Error {}
