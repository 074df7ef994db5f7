// Overloads that nobody can call: with them, the compiler says what is wrong with a likely mistake, and what to write.
// `Tests/Refused` shows each one.

public import Plug

extension Injector {
  /// Refuses a value of another type.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "the value of a property has the type of its defaultValue")
  public subscript<Key: Property, Value>(key: Key.Type) -> Value {
    get { fatalError() }
    set { fatalError() }
  }
}
