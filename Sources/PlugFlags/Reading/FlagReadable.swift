/// A type that can be read directly from the value of a flag.
///
/// Other types are decoded, see ``FlagKey``.
public protocol FlagReadable: Decodable, Sendable {
  /// Reads a value.
  ///
  /// - Returns: `nil` if the value is not of the type.
  static func read(_ value: FlagValue) -> Self?
}

extension Bool: FlagReadable {
  /// Reads a Boolean.
  public static func read(_ value: FlagValue) -> Bool? {
    if case .bool(let value) = value { value } else { nil }
  }
}

extension String: FlagReadable {
  /// Reads a string.
  public static func read(_ value: FlagValue) -> String? {
    if case .string(let value) = value { value } else { nil }
  }
}

extension Int: FlagReadable {
  /// Reads a whole number: 10 and 10.0, but not 3.14.
  public static func read(_ value: FlagValue) -> Int? { value.wholeNumber }
}

extension Double: FlagReadable {
  /// Reads a number.
  public static func read(_ value: FlagValue) -> Double? {
    if case .number(let value) = value { value } else { nil }
  }
}

extension FlagValue: FlagReadable {
  /// Reads a value of any kind.
  public static func read(_ value: FlagValue) -> FlagValue? { value }
}
