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
  /// In an isolated test the subscript returns the test's private copy.
  ///
  /// - Parameter name: The name of the environment. ``Name/default`` returns ``default``.
  public static subscript(name: Name) -> Injector {
    name == .default ? .default : name.environment.find()
  }
}
