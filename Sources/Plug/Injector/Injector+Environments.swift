extension Injector {
  /// The environment of a name: the injector that is found by it from anywhere.
  ///
  /// The first injector that is created with a name is its environment, for as long as it lives. If there is none, one
  /// is made here and kept until the program ends; while nothing is registered in that one, an injector that is created
  /// with the name takes its place.
  public static subscript(name: Name) -> Injector {
    name == .default ? .default : name.environment.find()
  }
}
