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

  /// The names of the attributes whose values explanations hide; `targetingKey` may be one.
  ///
  /// Explanations, reports and errors show `•••` instead of such a value, and instead of every result that is made
  /// from it and is no Boolean. Targetings look at it as at any other. A variant whose name is the value is shown.
  var privateAttributes: Set<String> { get }
}

extension FlagContext {
  /// No attributes.
  public var attributes: [String: FlagValue] { [:] }

  /// None.
  public var privateAttributes: Set<String> { [] }
}
