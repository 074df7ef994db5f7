/// Elements by name, of which few are compared one by one: that is faster than hashing.
struct NameTable<Element: Sendable>: Sendable {
  let names: [String]
  let elements: [Element]

  /// The positions of the names, if there are many.
  private let positions: [String: Int]?

  /// - Parameter name: The name of an element. Of several with the same name the first counts.
  init(_ elements: [Element], name: (Element) -> String) {
    self.elements = elements
    names = elements.map(name)
    positions = names.count <= 16 ? nil : Dictionary(zip(names, names.indices)) { first, _ in first }
  }

  /// The position of a name.
  func position(of name: String) -> Int? {
    if let positions { return positions[name] }
    let count = name.utf8.count
    return names.firstIndex { $0.utf8.count == count && $0 == name }
  }

  subscript(name: String) -> Element? {
    position(of: name).map { elements[$0] }
  }
}
