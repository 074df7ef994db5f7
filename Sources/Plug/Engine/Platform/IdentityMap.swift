/// Values by the identity of objects, which it holds: so no other object can have the identity of one meanwhile.
struct IdentityMap<Key: AnyObject, Value> {
  private var entries: [ObjectIdentifier: (key: Key, value: Value)] = [:]

  var isEmpty: Bool { entries.isEmpty }
  var keys: [Key] { entries.values.map(\.key) }
  var values: [Value] { entries.values.map(\.value) }
  var pairs: [(key: Key, value: Value)] { Array(entries.values) }

  subscript(key: Key) -> Value? { entries[ObjectIdentifier(key)]?.value }

  /// Sets the value of a key, unless it has one: the first one wins.
  ///
  /// - Returns: The value that it has now.
  mutating func insert(_ value: Value, for key: Key) -> Value {
    let identity = ObjectIdentifier(key)
    if let first = entries[identity] { return first.value }
    entries[identity] = (key, value)
    return value
  }

  /// Removes a key.
  ///
  /// - Returns: It and its value, to be released outside of a lock.
  mutating func remove(_ key: Key) -> (key: Key, value: Value)? { entries.removeValue(forKey: ObjectIdentifier(key)) }

  /// Removes what has to go.
  ///
  /// - Returns: That, to be released outside of a lock.
  mutating func remove(where isGone: (Key, Value) -> Bool) -> [(key: Key, value: Value)] {
    let gone = entries.values.filter { isGone($0.key, $0.value) }
    for pair in gone { entries[ObjectIdentifier(pair.key)] = nil }
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

extension IdentityMap: Sendable where Key: Sendable, Value: Sendable {}
