import Plug

extension Injector {
  /// Returns the external data, such as flags, that rules mention in registrations of this injector and its parents.
  ///
  /// - Parameter kind: The kind of data: `flag`.
  /// - Returns: The services whose rules mention the data, by its key, with the locations of their registrations.
  func mentions(of kind: String) -> [String: [(service: String, place: CodeLocation)]] {
    var places: [String: [(service: String, place: CodeLocation)]] = [:]
    for cell in active.visibleCells.sorted(by: { $0.registration.name < $1.registration.name }) {
      for key in Set((cell.order?.mentions ?? []).filter { $0.kind == kind }.map(\.key)) {
        places[key, default: []].append(("\(cell.registration.name)", cell.registration.location))
      }
    }
    return places
  }

  /// The registrations of this injector and its parents, without those that a scope replaces.
  private var visibleCells: [Cell] {
    var seen: Set<Key> = []
    return sequence(first: self, next: \.parent).flatMap(\.cells).filter { seen.insert($0.registration.key).inserted }
  }
}
