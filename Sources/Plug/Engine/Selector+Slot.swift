extension Selector {
  /// One candidate.
  @usableFromInline
  final class Slot: Sendable {
    let id: String
    let priority: Int
    /// The place in declared order; the fallback is the last.
    let ordinal: Int
    @usableFromInline let test: Test<Context>
    @usableFromInline let gate: Gate<Context>?
    @usableFromInline let cell: Cell<Service>

    init(_ candidate: Candidate<Service, Context>, ordinal: Int, gate: Gate<Context>?, cell: Cell<Service>) {
      id = candidate.id
      priority = candidate.priority
      self.ordinal = ordinal
      test = Test(candidate.rule)
      self.gate = gate
      self.cell = cell
    }

    init(_ other: Slot, with cell: Cell<Service>) {
      id = other.id
      priority = other.priority
      ordinal = other.ordinal
      test = other.test
      gate = other.gate
      self.cell = cell
    }

    init(fallback cell: Cell<Service>) {
      id = Fallback.id
      priority = .min
      ordinal = .max
      test = .always
      gate = nil
      self.cell = cell
    }

    /// Whether it always applies or never, if the rules alone tell.
    var constant: Bool? {
      var verdicts = [test.constant]
      var next = gate
      while let gate = next {
        verdicts.append(gate.test.constant)
        next = gate.parent
      }
      return verdicts.contains(false) ? false : verdicts.contains(nil) ? nil : true
    }

    func precedes(_ other: Slot) -> Bool {
      (other.priority, ordinal) < (priority, other.ordinal)
    }

    @inlinable
    func applies(in context: Context, _ verdicts: inout Verdicts) -> Bool {
      if let gate, !verdicts.isOpen(gate, in: context) { return false }
      return test.isSatisfied(in: context)
    }
  }
}
