/// A typed key with a default value: a piece of observable state that belongs to an `Injector`.
///
/// ```swift
/// enum Theme: Property { static var defaultValue: String { "light" } }
///
/// services[Theme.self]            // "light"
/// services[Theme.self] = "dark"
/// services.reset(Theme.self)
/// ```
///
/// Each injector has its own value. A scope has the value of its parent until it is assigned one of its own. Sealing an
/// injector fixes its registrations, but its properties can still be set. The value type may be an optional with a
/// default of `nil`.
///
/// An extension shortens the use of a property:
///
/// ```swift
/// nonisolated extension Injector {
///   var theme: String {
///     get { self[Theme.self] }
///     set { self[Theme.self] = newValue }
///   }
/// }
/// ```
///
/// Rules can depend on a property; see ``Plug/Rule/property(_:_:)-(_,Key.Value)``.
public protocol Property<Value>: Sendable {
  /// The type of the value.
  associatedtype Value: Sendable

  /// The value until another is set.
  ///
  /// It is evaluated on the first read, and again on the first read after a reset.
  static var defaultValue: Value { get }
}
