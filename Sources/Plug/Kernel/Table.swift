/// Cells in an open-addressed table that is at most three quarters full.
///
/// One table of an injector has the registered cells, by their keys. Another one has the injector's own cells: those
/// for registrations of its parents, by registration, and those for arguments, by registration and hash. They are
/// changed under the lock of the injector.
struct Table {
  /// Whether the cells are found by their registrations rather than by their keys.
  let isOwn: Bool
  private var slots: [Cell?] = []
  private(set) var count = 0

  init(isOwn: Bool = false) { self.isOwn = isOwn }

  var cells: [Cell] { slots.compactMap { $0 } }

  subscript(key: Key) -> Cell? { slots.isEmpty ? nil : slots[slot(of: key)] }

  /// The own cell of a registration without arguments.
  func cell(of registration: Registration) -> Cell? {
    slots.isEmpty ? nil : slots[slot(from: home(of: registration, nil)) { $0.isOwn(of: registration, nil) }]
  }

  /// The own cells of a registration for arguments with a hash.
  func cells(of registration: Registration, _ hash: Int) -> [Cell] {
    var found: [Cell] = []
    if slots.isEmpty { return found }
    _ = slot(from: home(of: registration, hash)) { cell in
      if cell.isOwn(of: registration, hash) { found.append(cell) }
      return false
    }
    return found
  }

  /// Adds a cell. A registered one replaces the one with its key, if it may.
  ///
  /// - Returns: Whether there was none with its key.
  @discardableResult
  mutating func insert(_ cell: Cell, replacing: Bool = true) -> Bool {
    if count * 4 >= slots.count * 3 { rebuild(cells) }
    let slot = isOwn ? emptySlot(for: cell) : slot(of: cell.registration.key)
    let isNew = slots[slot] == nil
    if isNew { count += 1 }
    if isNew || replacing { slots[slot] = cell }
    return isNew
  }

  mutating func remove(_ key: Key) { if !slots.isEmpty { removeCell(at: slot(of: key)) } }

  /// Removes one of the own cells, if it is still there.
  mutating func remove(_ cell: Cell) {
    if !slots.isEmpty { removeCell(at: slot(from: home(of: cell.registration, cell.arguments?.hash)) { $0 === cell }) }
  }

  /// Removes a cell, and moves cells behind it closer to their own slots (Knuth, TAOCP 3, algorithm 6.4 R).
  private mutating func removeCell(at start: Int) {
    var hole = start
    guard slots[hole] != nil else { return }
    count -= 1
    slots[hole] = nil
    let mask = slots.count - 1
    var index = (hole + 1) & mask
    while let cell = slots[index] {
      let distance = (index - home(of: cell.registration, cell.arguments?.hash)) & mask
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

  @inline(__always) private func home(of registration: Registration, _ hash: Int?) -> Int {
    if !isOwn { return home(of: registration.key) }
    let word = UInt(bitPattern: ObjectIdentifier(registration)) ^ UInt(bitPattern: hash ?? 0)
    return Int(truncatingIfNeeded: SealedTable.spread(word)) & (slots.count - 1)
  }

  @inline(__always) private func slot(of key: Key) -> Int {
    slot(from: home(of: key)) { $0.registration.key == key }
  }

  private func emptySlot(for cell: Cell) -> Int {
    slot(from: home(of: cell.registration, cell.arguments?.hash)) { _ in false }
  }

  /// The first slot, from one on, that is empty or has the wanted cell.
  @inline(__always) private func slot(from home: Int, where isWanted: (Cell) -> Bool) -> Int {
    var index = home
    while let cell = slots[index], !isWanted(cell) { index = (index + 1) & (slots.count - 1) }
    return index
  }

  private mutating func rebuild(_ cells: [Cell]) {
    var capacity = 8
    while cells.count * 4 >= capacity * 3 { capacity *= 2 }
    (slots, count) = ([], cells.count)
    slots.reserveCapacity(capacity)
    for _ in 0..<capacity { slots.append(nil) }  // `Array(repeating:)` is not specialised, and slower.
    for cell in cells { slots[emptySlot(for: cell)] = cell }
  }
}
