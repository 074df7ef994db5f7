/// Values by the identity of objects, which it holds: so no other object can have the identity of one meanwhile.
struct IdentityMap<Key: AnyObject, Value> {
  typealias Pair = (key: Key, value: Value)

  /// In the order in which they came, as long as there are few of them: these are looked through.
  private var few = [Pair]()
  private var many: [ObjectIdentifier: Pair]?

  private static var fewest: Int { 4 }
  private static var limit: Int { 8 }

  var isEmpty: Bool { few.isEmpty && many?.isEmpty != false }
  var keys: [Key] { pairs.map(\.key) }
  var values: [Value] { pairs.map(\.value) }
  var pairs: [Pair] { many.map { Array($0.values) } ?? few.map(\.self) }

  subscript(key: Key) -> Value? {
    if let many { return many[ObjectIdentifier(key)]?.value }
    for index in few.indices where few[index].key === key { return few[index].value }
    return nil
  }

  /// Sets the value of a key, unless it has one: the first one wins.
  ///
  /// - Returns: The value that it has now.
  mutating func insert(_ value: Value, for key: Key) -> Value {
    if let first = self[key] { return first }
    if many == nil, few.count < Self.limit {
      if few.isEmpty { few.reserveCapacity(Self.fewest) }
      few.append((key, value))
      return value
    }
    var all = many.take() ?? [:]
    for pair in few { all[ObjectIdentifier(pair.key)] = pair }
    few = []
    all[ObjectIdentifier(key)] = (key, value)
    many = all
    return value
  }

  /// Removes a key.
  ///
  /// - Returns: It and its value, to be released outside of a lock.
  mutating func remove(_ key: Key) -> Pair? {
    if let index = few.firstIndex(where: { $0.key === key }) { return few.remove(at: index) }
    return many?.removeValue(forKey: ObjectIdentifier(key))
  }

  /// Removes what has to go.
  ///
  /// - Returns: That, to be released outside of a lock.
  mutating func remove(where isGone: (Key, Value) -> Bool) -> [Pair] {
    let gone = pairs.filter { isGone($0.key, $0.value) }
    for pair in gone { _ = remove(pair.key) }
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
