/// Elements by the identity of an object that each of them holds: so no other object can have that identity meanwhile.
struct IdentityTable<Element: Identifiable<ObjectIdentifier>> {
  /// In the order in which they came, as long as there are few of them: these are looked through.
  private var few = [Element]()
  private var many: [ObjectIdentifier: Element]?

  private static var fewest: Int { 6 }
  private static var limit: Int { 8 }

  var isEmpty: Bool { few.isEmpty && many?.isEmpty != false }
  var all: [Element] { many.map { Array($0.values) } ?? few.map(\.self) }

  subscript(id: ObjectIdentifier) -> Element? {
    if let many { return many[id] }
    for index in few.indices where few[index].id == id { return few[index] }
    return nil
  }

  /// Adds an element, where there is none of its identity yet.
  mutating func add(_ element: Element) {
    if many == nil, few.count < Self.limit {
      if few.isEmpty { few.reserveCapacity(Self.fewest) }
      few.append(element)
      return
    }
    var elements = many.take() ?? [:]
    for element in few + [element] { elements[element.id] = element }
    (few, many) = ([], elements)
  }

  /// Removes an element.
  ///
  /// - Returns: It, to be released outside of a lock.
  mutating func remove(_ id: ObjectIdentifier) -> Element? {
    if let index = few.firstIndex(where: { $0.id == id }) { return few.remove(at: index) }
    return many?.removeValue(forKey: id)
  }

  /// Removes what has to go.
  ///
  /// - Returns: That, to be released outside of a lock.
  mutating func remove(where isGone: (Element) -> Bool) -> [Element] {
    let gone = all.filter(isGone)
    for element in gone { _ = remove(element.id) }
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

extension IdentityTable: Sendable where Element: Sendable {}
