/// Cells in an open-addressed table that is at most three quarters full.
///
/// The table of an injector has the cells that are registered there. It is changed under the lock of the injector.
struct Table {
  private var slots: [Cell?] = []
  private(set) var count = 0

  var cells: [Cell] { slots.compactMap { $0 } }

  subscript(key: Key) -> Cell? { slots.isEmpty ? nil : slots[slot(of: key)] }

  /// Adds a cell. It replaces the one with its key, if it may.
  ///
  /// - Returns: Whether there was none with its key.
  @discardableResult
  mutating func insert(_ cell: Cell, replacing: Bool = true) -> Bool {
    if count * 4 >= slots.count * 3 { rebuild(cells) }
    let slot = slot(of: cell.registration.key)
    let isNew = slots[slot] == nil
    if isNew { count += 1 }
    if isNew || replacing { slots[slot] = cell }
    return isNew
  }

  /// Removes a cell, and moves cells behind it closer to their own slots (Knuth, TAOCP 3, algorithm 6.4 R).
  mutating func remove(_ key: Key) {
    if slots.isEmpty { return }
    var hole = slot(of: key)
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

  /// The slot of a key, or the empty slot where the key would be.
  @inline(__always) private func slot(of key: Key) -> Int {
    var index = home(of: key)
    while let cell = slots[index], cell.registration.key != key { index = (index + 1) & (slots.count - 1) }
    return index
  }

  private mutating func rebuild(_ cells: [Cell]) {
    var capacity = 8
    while cells.count * 4 >= capacity * 3 { capacity *= 2 }
    (slots, count) = ([], cells.count)
    slots.reserveCapacity(capacity)
    for _ in 0..<capacity { slots.append(nil) }  // `Array(repeating:)` is not specialised, and slower.
    for cell in cells { slots[slot(of: cell.registration.key)] = cell }
  }
}
