public import Plug
public import PlugKeys

extension Registry {
  /// Removes the assignment and the mock in an isolated test, so that the next use makes another mock.
  ///
  /// - Throws: `InjectorError.notIsolated(_:)` outside an isolated test.
  public static func reset() throws(InjectorError) {
    try forgetShared()
  }
}
