/// A context that flags are evaluated in: named attributes, and a key that identifies it.
///
/// Conform the context of your rules by listing its attributes, see ``ListedFlagContext``, or use ``FlagAttributes``.
public protocol FlagContext: Sendable {
  /// The identifier, such as the id of an account: `targetingKey` in a targeting.
  ///
  /// Without it, `fractional` needs a bucketing value of its own.
  var targetingKey: String? { get }

  /// Returns the attribute with a name; `nil` if there is none.
  ///
  /// Each evaluated `var` of a targeting calls this method, so it should return the value without building anything.
  ///
  /// - Parameter name: The name, up to the first dot of a path.
  func attribute(_ name: String) -> FlagValue?

  /// All attributes by name. They are needed only if a targeting requests the whole data with `{"var": ""}`.
  var attributes: [String: FlagValue] { get }
}

extension FlagContext {
  /// No attributes.
  public var attributes: [String: FlagValue] { [:] }
}
