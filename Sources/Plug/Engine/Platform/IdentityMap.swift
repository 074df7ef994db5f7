/// Values by the identity of objects, which it holds.
struct IdentityMap<Key: AnyObject, Value> {
  struct Pair: Identifiable {
    let key: Key
    let value: Value

    var id: ObjectIdentifier { ObjectIdentifier(key) }
  }

  private var table = IdentityTable<Pair>()

  var isEmpty: Bool { table.isEmpty }
  var keys: [Key] { pairs.map(\.key) }
  var values: [Value] { pairs.map(\.value) }
  var pairs: [Pair] { table.all }

  subscript(key: Key) -> Value? { table[ObjectIdentifier(key)]?.value }

  /// Sets the value of a key, unless it has one: the first one wins.
  ///
  /// - Returns: The value that it has now.
  mutating func insert(_ value: Value, for key: Key) -> Value {
    if let first = self[key] { return first }
    table.add(Pair(key: key, value: value))
    return value
  }

  /// Removes a key.
  ///
  /// - Returns: It and its value, to be released outside of a lock.
  mutating func remove(_ key: Key) -> Pair? { table.remove(ObjectIdentifier(key)) }

  /// See `IdentityTable.remove(where:)`.
  mutating func remove(where isGone: (Key, Value) -> Bool) -> [Pair] {
    table.remove { isGone($0.key, $0.value) }
  }

  /// See `IdentityTable.take()`.
  mutating func take() -> Self {
    defer { self = Self() }
    return self
  }
}

extension IdentityMap.Pair: Sendable where Key: Sendable, Value: Sendable {}
extension IdentityMap: Sendable where Key: Sendable, Value: Sendable {}
