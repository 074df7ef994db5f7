public import Plug

extension Registry {
  /// Forgets, in an isolated test, what has been assigned, and the mock: the next use makes another.
  ///
  /// - Throws: ``Plug/InjectorError/notIsolated(_:)`` where no test is isolated.
  public static func reset() throws(InjectorError) {
    try forgetShared()
  }
}
