/// The cells whose instances an injector keeps and closes, in the order in which their factories returned.
///
/// An own cell, one for a registration with the lifetime `scoped` or for arguments, is in the list from the moment in
/// which it is claimed, and requests find it there. Until its factory has returned, it may stand anywhere.
struct KeptCells {
  private(set) var cells: [Cell] = []
  /// The own cells by the words of their registrations and arguments, once there are many.
  private var own: [UInt: [Cell]]?
  /// The number of retired cells that may still be in the list.
  private var gone: Int32 = 0

  var isEmpty: Bool { cells.isEmpty }

  /// Whether closing one of the instances runs an action.
  var areClosable: Bool { cells.contains { $0.registration.isClosable } }

  /// The own cell for a registration without arguments.
  @inline(__always) func cell(of registration: Registration) -> Cell? {
    if own != nil { return cellOfMany(registration) }
    for cell in cells where cell.isOwn(of: registration, nil) { return cell }  // `first` takes a sixth longer.
    return nil
  }

  @inline(never) private func cellOfMany(_ registration: Registration) -> Cell? {
    own?[Self.word(of: registration, nil)]?.first { $0.isOwn(of: registration, nil) }
  }

  /// The own cells for a registration and arguments with a hash.
  func cells(of registration: Registration, _ hash: Int) -> [Cell] {
    let near = own.map { $0[Self.word(of: registration, hash)] ?? [] } ?? cells
    return near.filter { $0.isOwn(of: registration, hash) }
  }

  private static func word(of registration: Registration, _ hash: Int?) -> UInt {
    UInt(bitPattern: ObjectIdentifier(registration)) ^ UInt(bitPattern: hash ?? 0)
  }

  private static func word(of cell: Cell) -> UInt { word(of: cell.registration, cell.arguments?.hash) }

  mutating func append(_ cell: Cell) {
    if cells.isEmpty { cells.reserveCapacity(6) }
    cells.append(cell)
    if own == nil, cells.count == 32 {
      own = Dictionary(grouping: cells.filter(\.isOwn), by: Self.word)
    } else if cell.isOwn {
      own?[Self.word(of: cell), default: []].append(cell)
    }
  }

  /// Gives a cell its position in the order, since its factory has returned.
  @inline(__always)
  mutating func keep(_ cell: Cell) {
    if cells.last === cell { return }
    if !cell.isOwn { return append(cell) }
    // What it needs has been made since it was claimed. One that was taken from the list is closed by its maker.
    guard let index = cells.lastIndex(where: { $0 === cell }) else { return }
    cells.append(cells.remove(at: index))
  }

  /// Removes a cell. A retired one that is not among the last eight is removed when as many are retired as are left.
  ///
  /// - Returns: The cells that are removed then, which may hold the last references to their instances.
  mutating func remove(_ cell: Cell, isRetired: (Cell) -> Bool) -> [Cell] {
    // Searching the whole list for each of many retired cells would take quadratic time. Requests find an own cell in
    // the list, so it leaves at once. Another retired cell may stay: nothing looks for it.
    let mayStay = !cell.isOwn && isRetired(cell)
    if let index = (mayStay ? cells.suffix(8) : cells[...]).lastIndex(where: { $0 === cell }) {
      cells.remove(at: index)
      forgetOwn(cell)
      return []
    }
    guard mayStay else { return [] }
    gone += 1
    if gone <= 16 || Int(gone) * 2 <= cells.count { return [] }
    gone = 0
    return take(where: isRetired)
  }

  /// Makes requests find an own cell no longer.
  private mutating func forgetOwn(_ cell: Cell) {
    guard cell.isOwn, let rest = own?[Self.word(of: cell)]?.filter({ $0 !== cell }) else { return }
    own?[Self.word(of: cell)] = rest.isEmpty ? nil : rest
  }

  /// Replaces a cell by another.
  mutating func replace(_ old: Cell, by new: Cell) {
    if let index = cells.lastIndex(where: { $0 === old }) { cells[index] = new }
  }

  /// Removes and returns the given cells.
  mutating func take(where isTaken: (Cell) -> Bool) -> [Cell] {
    var (taken, rest) = ([Cell](), [Cell]())
    for cell in cells { if isTaken(cell) { taken.append(cell) } else { rest.append(cell) } }
    cells = rest
    if rest.isEmpty { (own, gone) = (nil, 0) } else { for cell in taken { forgetOwn(cell) } }
    return taken
  }

  /// Removes and returns those of the given cells that are in the list, in their order, after the others.
  mutating func takeInOrder(_ taken: [Cell]) -> [Cell] {
    var others = Set(taken.map(ObjectIdentifier.init))
    let kept = take { others.remove(ObjectIdentifier($0)) != nil }
    return taken.filter { others.contains(ObjectIdentifier($0)) } + kept
  }

  /// Releases the cells, the last first, and retires those whose instances are not published.
  mutating func end() {
    own = nil  // Or it would hold them until the end.
    while let cell = cells.popLast() {
      if cell.published.instance == nil { _ = Injector.retire([cell]) }
    }
  }
}

extension Cell {
  /// Whether requests find the cell in its owner's list.
  var isOwn: Bool { registration.lifetime == .scoped || arguments != nil }

  @inline(__always)
  func isOwn(of registration: Registration, _ hash: Int?) -> Bool {
    self.registration === registration && arguments?.hash == hash
  }
}
