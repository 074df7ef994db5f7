import Plug

extension Key {
  /// Whether a name means this service.
  func isCalled(_ name: String) -> Bool { name == text || name == fullName }
}

extension DistinctNames {
  /// The name of the type, with its module where that is needed, and the tag.
  func parts(of key: Key) -> (service: String, tag: String?) {
    name(of: key) == key.text
      ? nameParts(key.type, tag: key.tag?.rawValue) : (qualifiedName(key.type), key.tag?.rawValue)
  }
}

extension Injector {
  /// The cells of this injector and its parents that a request finds.
  var visibleCells: [Cell] {
    var seen: Set<Key> = []
    let keys = levels.flatMap(\.cells).map(\.registration.key).filter { seen.insert($0).inserted }
    return keys.compactMap(visibleCell)
  }

  /// The cell that a request finds. A test's copy of an injector copies the registration, with a state of its own.
  func foundCell(of key: Key) -> Cell? { (try? find(key)) ?? nil }
}
