/// Which candidates apply in one context; each gate is looked at once.
struct Verdicts<Service: Sendable, Context: Sendable> {
  private let gates: [Selector<Service, Context>.Gate]
  private let context: Context
  private var known: UInt64 = 0
  private var open: UInt64 = 0

  init(_ gates: [Selector<Service, Context>.Gate], _ context: Context) {
    self.gates = gates
    self.context = context
  }

  mutating func applies(_ slot: Selector<Service, Context>.Slot) -> Bool {
    isOpen(slot.gate) && slot.rule.evaluate(in: context) == .satisfied
  }

  /// Whether the gate and all around it are open. Gates beyond the 64th are evaluated anew for each candidate.
  mutating func isOpen(_ index: Int?) -> Bool {
    guard let index else { return true }
    let bit: UInt64 = index < 64 ? 1 << UInt64(index) : 0
    if known & bit != 0 { return open & bit != 0 }
    let isOpen = isOpen(gates[index].parent) && gates[index].rule.evaluate(in: context) == .satisfied
    known |= bit
    if isOpen { open |= bit }
    return isOpen
  }
}
