/// A name with its hash, for names that are looked up over and over. Names are equal if their bytes are.
@usableFromInline
struct HashedName: Sendable {
  @usableFromInline let text: String
  @usableFromInline let hash: Int

  @inlinable
  init(_ text: String) {
    (self.text, hash) = (text, text.hashValue)
  }
}

extension HashedName: Hashable {
  @usableFromInline
  static func == (first: Self, second: Self) -> Bool {
    first.hash == second.hash && first.text.hasSameBytes(as: second.text)
  }

  @usableFromInline
  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

/// Elements by name, of which few are compared one by one: that is faster than hashing.
struct NameTable<Element: Sendable>: Sendable {
  let names: [String]
  let elements: [Element]

  /// The positions of the names, if there are many.
  private let places: [HashedName: Int]

  /// - Parameter name: The name of an element. Of several with the same name the first counts.
  init(_ elements: [Element], name: (Element) -> String) {
    self.elements = elements
    names = elements.map(name)
    let many = names.count > 16 ? names : []
    places = Dictionary(many.enumerated().map { (HashedName($1), $0) }) { first, _ in first }
  }

  subscript(name: String) -> Element? {
    guard places.isEmpty else { return self[HashedName(name)] }
    return names.firstIndex { $0.hasSameBytes(as: name) }.map { elements[$0] }
  }

  subscript(name: HashedName) -> Element? {
    places.isEmpty ? self[name.text] : places[name].map { elements[$0] }
  }
}
