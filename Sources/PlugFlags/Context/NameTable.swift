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

  /// The positions of the names by their hashes, if there are many: at least half of the slots are empty (-1), and a
  /// name stands in the first that was empty from that of its hash on (Knuth, The Art of Computer Programming, 6.4,
  /// algorithm L).
  private let slots: [Int]

  /// - Parameter name: The name of an element. Of several with the same name the first counts.
  init(_ elements: [Element], name: (Element) -> String) {
    self.elements = elements
    names = elements.map(name)
    var slots: [Int] = []
    if names.count > 16 {
      slots = Array(repeating: -1, count: 1 << (Int.bitWidth - (2 * names.count - 1).leadingZeroBitCount))
      for (index, name) in names.enumerated() {
        let slot = Self.slot(of: HashedName(name), in: slots, names)
        if slots[slot] < 0 { slots[slot] = index }
      }
    }
    self.slots = slots
  }

  /// The slot that a name stands in, or else the empty one where it would.
  private static func slot(of name: HashedName, in slots: [Int], _ names: [String]) -> Int {
    let mask = slots.count - 1
    var slot = name.hash & mask
    while slots[slot] >= 0, !names[slots[slot]].hasSameBytes(as: name.text) { slot = (slot + 1) & mask }
    return slot
  }

  subscript(name: String) -> Element? {
    guard slots.isEmpty else { return self[HashedName(name)] }
    return names.firstIndex { $0.hasSameBytes(as: name) }.map { elements[$0] }
  }

  subscript(name: HashedName) -> Element? {
    guard !slots.isEmpty else { return self[name.text] }
    let position = slots[Self.slot(of: name, in: slots, names)]
    return position < 0 ? nil : elements[position]
  }
}
