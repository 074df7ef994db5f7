import Plug

extension Key {
  /// Whether a name means this service.
  func isCalled(_ name: String) -> Bool { name == text || name == fullName }
}

extension [String] {
  /// The distinct strings, in alphabetical order.
  var distinct: [String] { Set(self).sorted() }
}

extension Injector {
  /// The cells of this injector and its parents that a request finds.
  var visibleCells: [Cell] {
    var seen: Set<Key> = []
    let keys = levels.flatMap(\.cells).map(\.registration.key).filter { seen.insert($0).inserted }
    return keys.compactMap(visibleCell)
  }

  /// The cell that a request finds. A test's copy of an injector copies the registration, with a state of its own.
  func foundCell(of key: Key) -> Cell? { (try? cell(of: key)) ?? nil }
}
