public import Foundation
public import Plug
public import PlugKeys

/// A feature that stores small `Codable` values by key, such as settings.
///
/// ```swift
/// try services.keyValueStore.set(Settings(volume: 3), for: "settings")
/// let settings = try services.keyValueStore.value(
///   Settings.self, for: "settings")
///
/// services.keyValueStore = .inMemory()
/// ```
///
/// Values are stored as JSON. A store can be used from any thread.
public struct KeyValueStore: Feature {
  private let data: @Sendable (_ key: String) -> Data?
  private let setData: @Sendable (_ key: String, Data?) -> Void

  /// Creates a store with operations of your own.
  ///
  /// - Parameters:
  ///   - get: Returns the data stored for a key; `nil` if there is none.
  ///   - set: Stores data for a key. For `nil`, it removes the stored data.
  public init(
    get: @escaping @Sendable (_ key: String) -> Data?, set: @escaping @Sendable (_ key: String, Data?) -> Void
  ) {
    data = get
    setData = set
  }

  /// Returns the value stored for a key.
  ///
  /// - Parameters:
  ///   - type: The type of the value. It can be omitted where it is inferred from the result.
  ///   - key: The key.
  /// - Returns: The value; `nil` if there is none.
  /// - Throws: `DecodingError` if the stored data cannot be decoded as the type.
  public func value<Value: Decodable>(_ type: Value.Type = Value.self, for key: String) throws -> Value? {
    try data(key).map { try JSONDecoder().decode(type, from: $0) }
  }

  /// Stores a value for a key.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: The key.
  /// - Throws: `EncodingError` if the value cannot be encoded. The store is unchanged then.
  public func set(_ value: some Encodable, for key: String) throws {
    setData(key, try JSONEncoder().encode(value))
  }

  /// Removes the value stored for a key, if there is one.
  public func remove(_ key: String) {
    setData(key, nil)
  }

  /// A store in the user's defaults.
  ///
  /// - Parameter suite: The name of the domain; `nil` for the program's own.
  public static func userDefaults(suite: String? = nil) -> KeyValueStore {
    KeyValueStore(
      get: { UserDefaults(suiteName: suite)?.data(forKey: $0) },
      set: { key, data in
        let defaults = UserDefaults(suiteName: suite)
        if let data { defaults?.set(data, forKey: key) } else { defaults?.removeObject(forKey: key) }
      })
  }

  /// A store whose values exist in memory only.
  public static func inMemory() -> KeyValueStore {
    let values = NamedData([:])
    return KeyValueStore(get: { values[$0] }, set: { values[$0] = $1 })
  }

  /// Returns the program's own user defaults.
  public static func load(in injector: Injector) -> KeyValueStore { .userDefaults() }
}

/// The store keeps what identifiers have drawn, for `sticky(in:)`: suitable for an app, which has one user or few.
extension KeyValueStore: AssignmentStore {
  /// Returns the id of the candidate that an identifier keeps at a point.
  public func assignment(of identifier: String, at point: String) -> String? {
    try? value(for: Self.key(identifier, point))
  }

  /// Stores the id of the candidate that an identifier has drawn at a point.
  public func assign(_ candidate: String, to identifier: String, at point: String) {
    try? set(candidate, for: Self.key(identifier, point))
  }

  // Without the length, "p" and "x:y" had the key of "p:x" and "y".
  private static func key(_ identifier: String, _ point: String) -> String {
    "assignment \(point.utf8.count):\(point):\(identifier)"
  }
}

extension Injector {
  /// The store of small values, by default the program's own user defaults.
  public var keyValueStore: KeyValueStore {
    get { self[KeyValueStore.self] }
    set { self[KeyValueStore.self] = newValue }
  }
}
