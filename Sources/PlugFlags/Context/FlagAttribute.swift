/// A named attribute of a context, and how it is read.
///
/// ```swift
/// FlagAttribute<Shopper>("country", \.country)
/// FlagAttribute<Shopper>("isAdult") { $0.age >= 18 }
/// ```
public struct FlagAttribute<Context>: Sendable {
  /// The name that `var` uses.
  public let name: String

  @usableFromInline let read: @Sendable (Context) -> FlagValue?

  /// Creates an attribute.
  ///
  /// - Parameters:
  ///   - name: The name that `var` uses. It contains no dots: `var` looks up the part after a dot in the value.
  ///   - value: The key path of a property, or a closure. It runs at each evaluation that needs the attribute.
  @inlinable
  public init<Value: FlagValueConvertible>(_ name: String, _ value: @escaping @Sendable (Context) -> Value) {
    self.name = name
    read = { value($0).flagValue }
  }
}
