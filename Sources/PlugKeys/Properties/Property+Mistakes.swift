// Unavailable overloads, with which the compiler explains a likely mistake and its fix. `Tests/Refused` shows each one.

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
