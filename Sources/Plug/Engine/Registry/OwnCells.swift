/// A cell in which a scope keeps an instance of its own. It holds what is registered, by which it is found.
struct OwnCell: Identifiable, Sendable {
  let cell: AnyEntry

  var id: ObjectIdentifier { ObjectIdentifier(cell.registered ?? cell) }
}

typealias OwnCells = IdentityTable<OwnCell>

extension OwnCells {
  var cells: [AnyEntry] { all.map(\.cell) }

  subscript(registered: AnyEntry) -> AnyEntry? { self[ObjectIdentifier(registered)]?.cell }

  mutating func add(_ cell: AnyEntry) { add(OwnCell(cell: cell)) }
}
