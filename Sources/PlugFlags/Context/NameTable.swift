/// A name with its hash, for names that are looked up over and over.
@usableFromInline
struct HashedName: Sendable {
  @usableFromInline let text: String
  @usableFromInline let hash: Int

  @inlinable
  init(_ text: String) {
    (self.text, hash) = (text, text.hashValue)
  }
}

/// The indices of names. A few names are compared one by one, which is faster than hashing.
struct NameIndex: Sendable {
  private(set) var names: [String] = []

  /// A hash table of indices with linear probing, and -1 in free slots: a power of two, or none for a few names.
  private var slots: [Int] = []

  /// The index of a name; the first index if several names are equal.
  subscript(name: String) -> Int? {
    slots.isEmpty ? names.firstIndex { $0.hasSameBytes(as: name) } : self[HashedName(name)]
  }

  subscript(name: HashedName) -> Int? {
    if slots.isEmpty { return self[name.text] }
    let place = slots[slot(of: name)]
    return place < 0 ? nil : place
  }

  @inline(never)
  mutating func append(_ name: String) {
    names.append(name)
    var unplaced = names.count - 1..<names.count
    if names.count > max(16, slots.count / 2) {
      slots = Array(repeating: -1, count: max(64, slots.count * 4))
      unplaced = names.indices
    }
    for place in unplaced where !slots.isEmpty {
      let slot = slot(of: HashedName(names[place]))
      if slots[slot] < 0 { slots[slot] = place }
    }
  }

  /// Adds a name unless it is already there.
  ///
  /// - Returns: Whether the name is new.
  @inline(never)
  mutating func insert(_ name: String) -> Bool {
    if self[name] != nil { return false }
    append(name)
    return true
  }

  /// The slot of a name, or the free slot where it belongs.
  private func slot(of name: HashedName) -> Int {
    let last = slots.count - 1
    var slot = name.hash & last
    while slots[slot] >= 0, !names[slots[slot]].hasSameBytes(as: name.text) { slot = (slot + 1) & last }
    return slot
  }
}

/// Elements by name. If several have the same name, the first one is found.
struct NameTable<Element: Sendable>: Sendable {
  let elements: [Element]
  private var places = NameIndex()

  init(_ elements: [Element], name: (Element) -> String) {
    self.elements = elements
    for element in elements { places.append(name(element)) }
  }

  var names: [String] { places.names }
  subscript(name: String) -> Element? { places[name].map { elements[$0] } }
  subscript(name: HashedName) -> Element? { places[name].map { elements[$0] } }
}
