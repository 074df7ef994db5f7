/// A context that flags are evaluated in: named attributes, and a key that identifies it.
///
/// Conform the context of your rules by listing attributes, see ``ListedFlagContext``, or use ``FlagAttributes``.
public protocol FlagContext: Sendable {
  /// The identifier, such as the id of an account: `targetingKey` in a targeting.
  ///
  /// Without it, `fractional` needs a bucketing value of its own.
  var targetingKey: String? { get }

  /// The attribute of a name; `nil` if there is none.
  ///
  /// It is asked for each `var` of a targeting that is evaluated, and should build nothing for it.
  ///
  /// - Parameter name: The name, up to the first dot of a path.
  func attribute(_ name: String) -> FlagValue?

  /// All attributes by name. They are needed only where a targeting asks for the whole data with `{"var": ""}`.
  var attributes: [String: FlagValue] { get }
}

extension FlagContext {
  /// No attributes.
  public var attributes: [String: FlagValue] { [:] }
}
