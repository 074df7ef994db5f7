public import Plug
import PlugIsolation
public import PlugKeys

extension Injector {
  /// Sets the value of a property in an isolated test.
  ///
  /// ```swift
  /// try services.override(Theme.self, with: "dark")
  /// ```
  ///
  /// Outside an isolated test, this method throws, whereas an assignment by subscript would change the app's own
  /// injector.
  ///
  /// - Parameters:
  ///   - key: The property.
  ///   - value: The value.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Throws: `InjectorError.notIsolated(_:)` outside an isolated test, `InjectorError.closed(_:)`.
  public func override<Key: Property>(
    _ key: Key.Type, with value: Key.Value, fileID: StaticString = #fileID, line: UInt = #line
  ) throws(InjectorError) {
    try isolatedForChange(of: key.key).set(key, to: value, fileID: fileID, line: line)
  }

  /// Sets the instance of a feature in an isolated test, even if the injector is sealed.
  ///
  /// ```swift
  /// try services.override(Timestamp.self, with: .constant(0))
  /// ```
  ///
  /// - Parameters:
  ///   - key: The feature.
  ///   - instance: The instance.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Throws: `InjectorError.notIsolated(_:)` outside an isolated test, `InjectorError.closed(_:)`.
  public func override<Key: Feature>(
    _ key: Key.Type, with instance: Key.Instance, fileID: StaticString = #fileID, line: UInt = #line
  ) throws(InjectorError) {
    try isolatedForChange(of: key.key).assign(instance, to: key, fileID, line)
  }
}
