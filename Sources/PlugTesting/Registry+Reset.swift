public import Plug
public import PlugKeys

extension Registry {
  /// Forgets the assignment and the mock in an isolated test. The next use makes another mock.
  ///
  /// - Throws: `InjectorError.notIsolated(_:)` outside of an isolated test.
  public static func reset() throws(InjectorError) {
    try forgetShared()
  }
}
