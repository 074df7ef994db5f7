/// A typed key with a default value: a piece of state that belongs to an ``Injector``.
///
/// ```swift
/// enum Theme: Property { static var defaultValue: String { "light" } }
///
/// services[Theme.self]            // "light"
/// services[Theme.self] = "dark"
/// services.reset(Theme.self)
/// ```
///
/// Each injector has its own value. A scope has that of the injector it was opened in, until it is given its own. An
/// optional type may be `nil` by default. Sealing an injector fixes its registrations; its properties can always be
/// set.
///
/// A shorter way to read and write one is an extension:
///
/// ```swift
/// extension Injector {
///   var theme: String {
///     get { self[Theme.self] }
///     set { self[Theme.self] = newValue }
///   }
/// }
/// ```
public protocol Property<Value>: Sendable {
  /// The type of the value.
  associatedtype Value: Sendable

  /// The value where none has been set: asked for at the first read, and after a reset at the next one.
  static var defaultValue: Value { get }
}
