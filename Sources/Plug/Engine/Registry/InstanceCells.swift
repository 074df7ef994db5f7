/// The cells of an injector: those with an instance to be given up, in order of construction, and behind them those of
/// a scope for what is registered as scoped, as long as they have none.
///
/// One array has both, because every request opens a scope. A scope finds its own by what is registered.
struct InstanceCells: Sendable {
  private var cells = [AnyEntry]()
  private var keptCount = 0

  /// Where the scope's own are, if there are many: few are looked through.
  private var places: [ObjectIdentifier: Int]?

  private static var limit: Int { 8 }

  /// Those with an instance to be given up, and the states of properties, in order of construction.
  var kept: [AnyEntry] { cells.prefix(keptCount).map(\.self) }

  func allKept(_ isTrue: (AnyEntry) -> Bool) -> Bool { cells.prefix(keptCount).allSatisfy(isTrue) }

  var keepsNothing: Bool { keptCount == 0 }

  /// Those of a scope for what is registered as scoped, in no order.
  var own: [AnyEntry] { cells.filter(\.isOwnCell) }

  subscript(registered: AnyEntry) -> AnyEntry? { place(of: registered).map { cells[$0] } }

  /// One whose place another has taken may still be kept, until its instance has been given up.
  private func place(of registered: AnyEntry) -> Int? {
    if let places {
      guard let place = places[ObjectIdentifier(registered)] else { return nil }
      if !cells[place].isReplaced { return place }
    }
    for place in cells.indices where cells[place].registered === registered && !cells[place].isReplaced { return place }
    return nil
  }

  private func place(ofUnmade cell: AnyEntry) -> Int? {
    if places == nil { return (keptCount..<cells.count).last { cells[$0] === cell } }
    guard let registered = cell.registered, let place = place(of: registered), place >= keptCount else { return nil }
    return cells[place] === cell ? place : nil
  }

  /// Adds a cell of a scope for what is registered, where there is none yet.
  mutating func add(_ cell: AnyEntry) { append(cell) }

  /// Keeps a cell whose instance has been made after all others, or the state of a property.
  mutating func keep(_ cell: AnyEntry) {
    let known = place(ofUnmade: cell)
    let place = known ?? cells.count
    if known == nil { append(cell) }
    if place > keptCount {
      // Moves them, and counts no references.
      let first = keptCount
      unsafe cells.withUnsafeMutableBufferPointer { unsafe $0.swapAt(place, first) }
      if places != nil { for moved in [place, keptCount] { reindex(moved, from: place + keptCount - moved) } }
    }
    keptCount += 1
  }

  /// Keeps what another injector has kept before.
  mutating func keepFirst(_ cells: [AnyEntry]) { replace(kept: cells + kept, rest: rest) }

  /// Keeps some no longer. A scope's own stay.
  ///
  /// - Returns: Them, in order of construction.
  mutating func giveUp(where isGone: (AnyEntry) -> Bool) -> [AnyEntry] {
    let gone = kept.filter(isGone)
    if !gone.isEmpty { replace(kept: kept.filter { !isGone($0) }, rest: gone.filter(\.isOwnCell) + rest) }
    return gone
  }

  /// Removes cells of a scope's own that have no instance.
  ///
  /// - Returns: Them, to be released outside of a lock.
  mutating func removeUnmade(where isGone: (AnyEntry) -> Bool) -> [AnyEntry] {
    if keptCount == cells.count { return [] }
    let gone = rest.filter(isGone)
    if !gone.isEmpty { replace(kept: kept, rest: rest.filter { !isGone($0) }) }
    return gone
  }

  /// Takes what has to be given up.
  mutating func takeKept() -> [AnyEntry] {
    if keptCount < cells.count { return giveUp { _ in true } }
    if keptCount == 0 { return [] }
    defer { self = Self() }
    return cells
  }

  private var rest: [AnyEntry] { cells.dropFirst(keptCount).map(\.self) }

  private mutating func append(_ cell: AnyEntry) {
    if cells.isEmpty { cells.reserveCapacity(Self.limit) }
    cells.append(cell)
    if cells.count > Self.limit { index(from: places == nil ? 0 : cells.count - 1) }
  }

  private mutating func replace(kept: [AnyEntry], rest: [AnyEntry]) {
    (cells, keptCount, places) = (kept + rest, kept.count, nil)
    if cells.count > Self.limit { index(from: 0) }
  }

  private mutating func index(from first: Int) {
    var known = places.take() ?? [:]
    for place in first..<cells.count where cells[place].isOwnCell && !cells[place].isReplaced {
      guard let registered = cells[place].registered.map(ObjectIdentifier.init) else { continue }
      if known[registered] == nil { known[registered] = place }
    }
    places = known
  }

  /// A cell has come from another place. One whose place another has taken is not in the dictionary.
  private mutating func reindex(_ place: Int, from earlier: Int) {
    guard let registered = cells[place].registered, places?[ObjectIdentifier(registered)] == earlier else { return }
    places?[ObjectIdentifier(registered)] = place
  }
}

extension AnyEntry {
  /// Whether this is the cell of a scope for what is registered.
  fileprivate var isOwnCell: Bool { registered != nil && !isState }
}
