import Plug

extension Injector {
  /// What the rules look at outside of the program, of all that is registered here and in what this is a scope of.
  ///
  /// - Parameter kind: What it is: `flag`.
  /// - Returns: The services whose rules look at it, by what it is called, with the places of their registrations.
  func mentions(of kind: String) -> [String: [(service: String, place: CodeLocation)]] {
    var places: [String: [(service: String, place: CodeLocation)]] = [:]
    for cell in (redirected() ?? self).visibleCells.sorted(by: { $0.registration.name < $1.registration.name }) {
      for key in Set((cell.selector?.order.mentions ?? []).filter { $0.kind == kind }.map(\.key)) {
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
