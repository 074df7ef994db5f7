public import Foundation
public import Plug

/// Keeps small values under keys, such as settings.
///
/// ```swift
/// try services.keyValueStore.set(Settings(volume: 3), for: "settings")
/// let settings = try services.keyValueStore.value(Settings.self, for: "settings")
/// services.keyValueStore = .inMemory()
/// ```
///
/// Values are kept as JSON.
public struct KeyValueStore: Feature {
  private let data: @Sendable (_ key: String) -> Data?
  private let setData: @Sendable (_ key: String, Data?) -> Void

  /// Creates a store of your own.
  ///
  /// - Parameters:
  ///   - get: Gives what is kept under a key; `nil` if nothing is.
  ///   - set: Keeps something under a key; `nil` removes what is there.
  public init(
    get: @escaping @Sendable (_ key: String) -> Data?, set: @escaping @Sendable (_ key: String, Data?) -> Void
  ) {
    data = get
    setData = set
  }

  /// Gives the value of a key; `nil` if there is none.
  ///
  /// - Throws: `DecodingError` if what is there is no such value.
  public func value<Value: Decodable>(_ type: Value.Type = Value.self, for key: String) throws -> Value? {
    try data(key).map { try JSONDecoder().decode(type, from: $0) }
  }

  /// Sets the value of a key.
  ///
  /// - Throws: `EncodingError` if the value has no representation. Nothing has changed then.
  public func set(_ value: some Encodable, for key: String) throws {
    setData(key, try JSONEncoder().encode(value))
  }

  /// Removes the value of a key, if there is one.
  public func remove(_ key: String) {
    setData(key, nil)
  }

  /// The user's defaults.
  ///
  /// - Parameter suite: The name of their domain; `nil` for the program's own.
  public static func userDefaults(suite: String? = nil) -> KeyValueStore {
    KeyValueStore(
      get: { UserDefaults(suiteName: suite)?.data(forKey: $0) },
      set: { key, data in
        let defaults = UserDefaults(suiteName: suite)
        if let data { defaults?.set(data, forKey: key) } else { defaults?.removeObject(forKey: key) }
      })
  }

  /// Values that exist in memory only.
  public static func inMemory() -> KeyValueStore {
    let values = NamedData([:])
    return KeyValueStore(get: { values[$0] }, set: { values[$0] = $1 })
  }

  /// The program's own user defaults.
  public static func load(in injector: Injector) -> KeyValueStore { .userDefaults() }
}

extension Injector {
  /// Keeps small values under keys.
  public var keyValueStore: KeyValueStore {
    get { self[KeyValueStore.self] }
    set { self[KeyValueStore.self] = newValue }
  }
}
