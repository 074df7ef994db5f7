extension Injector {
  /// Returns the environment with a name: the injector that code anywhere in the program finds by that name.
  ///
  /// ```swift
  /// let services = Injector("services")          // becomes the environment
  /// let network = try Injector[.services].get((any Networking).self)
  /// ```
  ///
  /// The first injector created with a name becomes its environment, and stays it until the injector is released. If
  /// the name has no environment yet, this subscript creates an empty one and keeps it until the program ends. While
  /// nothing is registered in that placeholder, a later `Injector(name)` replaces it, so that it does not matter which
  /// module runs first.
  ///
  /// In an isolated test the subscript returns the test's private copy. `Injector[.current]` returns ``current``, and
  /// traps with a diagnostic if there is none.
  ///
  /// - Parameters:
  ///   - name: The name of the environment. ``Name/default`` returns ``default``.
  ///   - fileID: The file of the call, which a trap reports.
  ///   - line: The line of the call, which a trap reports.
  public static subscript(
    name: Name, fileID fileID: StaticString = #fileID, line line: UInt = #line
  ) -> Injector {
    if name.environment.isOfTask {
      return orTrap("Injector[.current] failed.", fileID, line) { () throws(InjectorError) in
        try requireCurrent(for: Key(Injector.self))
      }
    }
    return name == .default ? .default : name.environment.find()
  }
}
