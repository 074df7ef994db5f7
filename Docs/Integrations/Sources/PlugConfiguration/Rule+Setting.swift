public import Configuration
public import Plug
import PlugKeys

extension Rule {
  /// Satisfied if a setting has a value.
  ///
  /// ```swift
  /// Candidate("one-click") { OneClick() }
  ///   .when(.setting("checkout.new", is: true))
  /// ```
  ///
  /// The rule reads ``Settings`` of the injector that makes the choice. It is indeterminate if the configuration has no
  /// such setting, or one of another type. Explanations do not show the value, which may be a secret.
  ///
  /// - Parameters:
  ///   - key: The key of the setting.
  ///   - value: The value.
  public static func setting(_ key: ConfigKey, is value: Bool) -> Self {
    setting(key, is: value) { $0.bool(forKey: key) }
  }

  /// Satisfied if a setting has a value. See ``setting(_:is:)-(_,Bool)``.
  ///
  /// - Parameters:
  ///   - key: The key of the setting.
  ///   - value: The value.
  public static func setting(_ key: ConfigKey, is value: String) -> Self {
    setting(key, is: value) { $0.string(forKey: key) }
  }

  /// Satisfied if a setting has a value. See ``setting(_:is:)-(_,Bool)``.
  ///
  /// - Parameters:
  ///   - key: The key of the setting.
  ///   - value: The value.
  public static func setting(_ key: ConfigKey, is value: Int) -> Self {
    setting(key, is: value) { $0.int(forKey: key) }
  }

  private static func setting<Value: Equatable & Sendable>(
    _ key: ConfigKey, is value: Value, _ read: @escaping @Sendable (ConfigSnapshotReader) -> Value?
  ) -> Self {
    .property(
      Settings.self,
      Rule<ConfigSnapshotReader>("setting \(key) == \(String(reflecting: value))") { settings in
        guard let found = read(settings) else { throw MissingSetting(key: key) }
        return found == value
      })
  }
}

/// The reason why a rule about a setting is indeterminate.
private struct MissingSetting: Error, CustomStringConvertible {
  let key: ConfigKey
  var description: String { "no setting \(key) of this type" }
}
