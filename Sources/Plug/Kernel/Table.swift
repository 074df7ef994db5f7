/// The registered cells, by key: an open-addressed table that is at most three quarters full.
///
/// It is changed under the lock of its injector.
struct Table {
  private var slots: [Cell?] = []
  private(set) var count = 0

  subscript(key: Key) -> Cell? { slots.isEmpty ? nil : slots[place(of: key)] }

  var cells: [Cell] { slots.compactMap { $0 } }

  /// Adds a cell, or replaces the one with its key.
  mutating func insert(_ cell: Cell) {
    if count * 4 >= slots.count * 3 { grow() }
    let place = place(of: cell.registration.key)
    if slots[place] == nil { count += 1 }
    slots[place] = cell
  }

  /// Removes a cell, and moves cells behind it closer to their own slots (Knuth, TAOCP 3, algorithm 6.4 R).
  mutating func remove(_ key: Key) {
    if slots.isEmpty { return }
    var hole = place(of: key)
    guard slots[hole] != nil else { return }
    count -= 1
    slots[hole] = nil
    let mask = slots.count - 1
    var index = (hole + 1) & mask
    while let cell = slots[index] {
      let distance = (index - home(of: cell.registration.key)) & mask
      if distance >= (index - hole) & mask {
        slots[hole] = cell
        slots[index] = nil
        hole = index
      }
      index = (index + 1) & mask
    }
  }

  @inline(__always) private func home(of key: Key) -> Int {
    Int(truncatingIfNeeded: SealedTable.spread(SealedTable.word(of: key))) & (slots.count - 1)
  }

  @inline(__always) private func place(of key: Key) -> Int {
    var index = home(of: key)
    while let cell = slots[index], cell.registration.key != key { index = (index + 1) & (slots.count - 1) }
    return index
  }

  private mutating func grow() {
    let old = slots
    let capacity = max(8, old.count * 2)
    slots = []
    slots.reserveCapacity(capacity)
    for _ in 0..<capacity { slots.append(nil) }  // `Array(repeating:)` is not specialised, and slower.
    for case let cell? in old { slots[place(of: cell.registration.key)] = cell }
  }
}
