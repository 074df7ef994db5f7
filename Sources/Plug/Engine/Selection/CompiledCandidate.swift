extension Selector {
  /// One candidate.
  @usableFromInline
  final class CompiledCandidate: Sendable {
    let id: String
    let priority: Int
    /// The place in declared order; the fallback is the last.
    let ordinal: Int
    let order: CandidateOrder
    let draw: Draw<Context>?

    /// The id of the innermost point.
    let point: String
    @usableFromInline let rule: CompiledRule<Context>
    @usableFromInline let gate: Gate<Context>?
    @usableFromInline let cell: Cell<Service>

    /// - Parameter point: The id of the innermost point.
    init(
      _ candidate: Candidate<Service, Context>, in point: String, ordinal: Int, gate: Gate<Context>?,
      cell: Cell<Service>
    ) {
      id = candidate.id
      priority = candidate.priority
      self.ordinal = ordinal
      order = candidate.order
      draw = candidate.draw
      self.point = point
      rule = CompiledRule(candidate.rule)
      self.gate = gate
      self.cell = cell
    }

    init(_ other: CompiledCandidate, with cell: Cell<Service>) {
      id = other.id
      priority = other.priority
      ordinal = other.ordinal
      order = other.order
      draw = other.draw
      point = other.point
      rule = other.rule
      gate = other.gate
      self.cell = cell
    }

    init(fallback cell: Cell<Service>) {
      id = Fallback.id
      priority = .min
      ordinal = .max
      order = CandidateOrder()
      draw = nil
      point = Fallback.id
      rule = .always
      gate = nil
      self.cell = cell
    }

    /// Whether it always applies or never, if the rules alone tell.
    var constant: Bool? {
      var constants = [rule.constant]
      var next = gate
      while let gate = next {
        constants.append(gate.rule.constant)
        next = gate.parent
      }
      return constants.contains(false) ? false : constants.contains(nil) ? nil : true
    }

    func precedes(_ other: CompiledCandidate) -> Bool {
      (other.priority, ordinal) < (priority, other.ordinal)
    }

    @inlinable
    @inline(__always)
    func applies(in context: Context, from injector: Injector, _ cache: inout GateCache) -> Bool {
      if let gate, !cache.isOpen(gate, in: context, from: injector) { return false }
      return rule.isSatisfied(in: context, from: injector, &cache)
    }
  }
}
