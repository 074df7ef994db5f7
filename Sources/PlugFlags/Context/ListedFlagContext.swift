/// A context whose type lists its attributes.
///
/// ```swift
/// struct Shopper: ListedFlagContext {
///   var id: String
///   var country: String
///   var appVersion: String
///
///   static let flagAttributes = FlagAttributeList<Shopper>(
///     targetingKey: \.id,
///     [
///       .init("country", \.country),
///       .init("appVersion", \.appVersion),
///     ])
/// }
/// ```
///
/// Reading an attribute builds no dictionary, and copies no value.
public protocol ListedFlagContext: FlagContext {
  /// The attributes of the type.
  static var flagAttributes: FlagAttributeList<Self> { get }
}

extension ListedFlagContext {
  /// The targeting key that the list names.
  @inlinable public var targetingKey: String? { Self.flagAttributes.targetingKey(of: self) }

  /// Returns the listed attribute with a name.
  @inlinable public func attribute(_ name: String) -> FlagValue? { Self.flagAttributes.attribute(name, of: self) }

  /// All listed attributes.
  public var attributes: [String: FlagValue] { Self.flagAttributes.attributes(of: self) }
}
