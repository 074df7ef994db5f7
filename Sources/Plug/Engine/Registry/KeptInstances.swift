/// What an injector has kept, in order of construction, for whoever gives it up.
///
/// Soundness of the unchecked conformance: the memory belongs to this alone. Whoever consumes this says at which point
/// the memory may end, because nothing else reads the owner.
struct KeptInstances: @unchecked Sendable {
  private let owner: InstanceMemory.Owner?
  private var memory: InstanceMemory? { owner.map { InstanceMemory(of: $0) } }
  private var last: Int32
  private let depth: Int32

  init(_ owner: InstanceMemory.Owner?, _ last: Int32, at depth: Int32) {
    (self.owner, self.last, self.depth) = (owner, last, depth)
  }

  init(_ cells: consuming [AnyEntry]) {
    var kept = InstanceCells()
    kept.keepFirst(cells)
    self = kept.takeKept()
  }

  /// Takes the slot out that has been kept last.
  mutating func popLast() -> InstanceSlot? {
    guard last != InstanceSlot.nowhere, let memory else { return nil }
    let slot = memory.take(Int(last))
    last = slot.previous
    if last == InstanceSlot.nowhere { memory.forgetVacant() }
    return slot
  }

  /// Ends an instance that has no cell.
  func end(_ slot: InstanceSlot) {
    if let memory { slot.end(memory) }
  }

  /// The cell of a slot, which gets one if it has none.
  func cell(of slot: consuming InstanceSlot) -> AnyEntry? {
    if let memory { slot.materialize(memory, at: depth) }
    return slot.takeCell()
  }

  /// All that are left, with cells.
  consuming func takeCells() -> [AnyEntry] {
    var cells = [AnyEntry]()
    while let slot = popLast() { if let cell = cell(of: slot) { cells.append(cell) } }
    withExtendedLifetime(owner) {}
    return cells.reversed()
  }
}
