/// A type whose values can be attributes of a context.
///
/// Numbers, Booleans, strings, arrays, sets and dictionaries of them conform, and so do optionals, where `nil` means
/// that there is no such attribute. An enumeration with raw values conforms with a declaration:
///
/// ```swift
/// enum Tier: String, FlagValueConvertible { case basic, premium }
/// ```
public protocol FlagValueConvertible: SendableMetatype {
  /// The value; `nil` if there is none.
  var flagValue: FlagValue? { get }
}

extension FlagValue: FlagValueConvertible {
  /// The value itself.
  public var flagValue: FlagValue? { self }
}

extension Bool: FlagValueConvertible {
  /// The Boolean.
  @inlinable public var flagValue: FlagValue? { .bool(self) }
}

extension String: FlagValueConvertible {
  /// The string.
  @inlinable public var flagValue: FlagValue? { .string(self) }
}

extension BinaryInteger where Self: FlagValueConvertible {
  /// The nearest number that a `Double` holds.
  @inlinable public var flagValue: FlagValue? { .number(Double(self)) }
}

extension Int: FlagValueConvertible {}
extension Int32: FlagValueConvertible {}
extension Int64: FlagValueConvertible {}
extension UInt: FlagValueConvertible {}

extension Double: FlagValueConvertible {
  /// The number.
  @inlinable public var flagValue: FlagValue? { .number(self) }
}

extension Float: FlagValueConvertible {
  /// The number.
  @inlinable public var flagValue: FlagValue? { .number(Double(self)) }
}

extension Optional: FlagValueConvertible where Wrapped: FlagValueConvertible {
  /// The value, if there is one.
  @inlinable public var flagValue: FlagValue? { self?.flagValue }
}

extension Array: FlagValueConvertible where Element: FlagValueConvertible {
  /// The values of the elements; null for an element that has none.
  @inlinable public var flagValue: FlagValue? { .array(map { $0.flagValue ?? .null }) }
}

extension Set: FlagValueConvertible where Element: FlagValueConvertible & Comparable {
  /// The values of the elements in ascending order.
  @inlinable public var flagValue: FlagValue? { sorted().flagValue }
}

extension Dictionary: FlagValueConvertible where Key == String, Value: FlagValueConvertible {
  /// The values by name, without the entries that have none.
  @inlinable public var flagValue: FlagValue? { .object(compactMapValues(\.flagValue)) }
}

extension FlagValueConvertible where Self: RawRepresentable, RawValue: FlagValueConvertible {
  /// The raw value.
  @inlinable public var flagValue: FlagValue? { rawValue.flagValue }
}
