/// The cells in which a scope keeps instances of its own, by what is registered: each holds that, so that nothing else
/// can have its identity meanwhile.
struct OwnCells: Sendable {
  /// In the order in which they came, as long as there are few of them: these are looked through.
  private var few = [AnyEntry]()
  private var many: [ObjectIdentifier: AnyEntry]?

  private static var fewest: Int { 6 }
  private static var limit: Int { 8 }

  var isEmpty: Bool { few.isEmpty && many?.isEmpty != false }
  var all: [AnyEntry] { many.map { Array($0.values) } ?? few.map(\.self) }

  subscript(registered: AnyEntry) -> AnyEntry? {
    if let many { return many[ObjectIdentifier(registered)] }
    for index in few.indices where few[index].registered === registered { return few[index] }
    return nil
  }

  /// Adds a cell for what is registered and has none yet.
  mutating func add(_ cell: AnyEntry) {
    if many == nil, few.count < Self.limit {
      if few.isEmpty { few.reserveCapacity(Self.fewest) }
      few.append(cell)
      return
    }
    var cells = many.take() ?? [:]
    for cell in few + [cell] { cells[ObjectIdentifier(cell.registered ?? cell)] = cell }
    (few, many) = ([], cells)
  }

  /// Removes what has to go.
  ///
  /// - Returns: That, to be released outside of a lock.
  mutating func remove(where isGone: (AnyEntry) -> Bool) -> [AnyEntry] {
    let gone = all.filter(isGone)
    if gone.isEmpty { return [] }
    let identities = Set(gone.map(ObjectIdentifier.init))
    let rest = all.filter { !identities.contains(ObjectIdentifier($0)) }
    self = OwnCells()
    for cell in rest { add(cell) }
    return gone
  }

  /// Removes everything.
  ///
  /// - Returns: That, to be released outside of a lock.
  mutating func take() -> Self {
    defer { self = Self() }
    return self
  }
}
