import Foundation

/// The key of a flag, with the type of its value and the default that the program needs.
///
/// ```swift
/// nonisolated extension FlagKey<Bool> {
///   static let newCheckout = FlagKey("new-checkout", default: false)
/// }
///
/// document.evaluate(.newCheckout, in: shopper).value
/// ```
///
/// `Bool`, `String`, `Int`, `Double` and ``FlagValue`` are read directly. Any other `Decodable` type is decoded from
/// the value of the variant by a `JSONDecoder`, at each evaluation.
public struct FlagKey<Value: Sendable>: Sendable {
  /// The key, which is case-sensitive.
  public var name: String { key.text }

  /// The value if the document decides nothing, or if there is an error.
  public let defaultValue: Value

  @usableFromInline let key: HashedName
  @usableFromInline let read: @Sendable (FlagValue) -> Value?

  /// Creates a key whose values are read directly.
  ///
  /// - Parameters:
  ///   - name: The key, which is case-sensitive.
  ///   - defaultValue: The value if the document decides nothing, or if there is an error.
  @inlinable
  public init(_ name: String, default defaultValue: Value) where Value: FlagReadable {
    (key, self.defaultValue) = (HashedName(name), defaultValue)
    read = { Value.read($0) }
  }

  /// Creates a key whose values are decoded.
  ///
  /// - Parameters:
  ///   - name: The key, which is case-sensitive.
  ///   - defaultValue: The value if the document decides nothing, or if there is an error.
  public init(_ name: String, default defaultValue: Value) where Value: Decodable {
    (key, self.defaultValue) = (HashedName(name), defaultValue)
    read = { try? JSONDecoder().decode(Value.self, from: Data($0.description.utf8)) }
  }
}
