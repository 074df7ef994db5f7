/// The attributes of a type that flags can use, listed by key path.
///
/// See ``ListedFlagContext`` for how it is used.
public struct FlagAttributeList<Context>: Sendable {
  @usableFromInline let contents: Contents

  /// The contents of a list. They are behind one reference, because each lookup copies the list.
  @usableFromInline
  final class Contents: Sendable {
    @usableFromInline let key: (@Sendable (Context) -> String?)?
    @usableFromInline let attributes: [FlagAttribute<Context>]

    @inlinable
    init(_ key: (@Sendable (Context) -> String?)?, _ attributes: [FlagAttribute<Context>]) {
      (self.key, self.attributes) = (key, attributes)
    }
  }

  /// Creates a list.
  ///
  /// - Parameters:
  ///   - targetingKey: The identifier of a context, such as the id of an account.
  ///   - attributes: The attributes. If several have the same name, the first one is used.
  @inlinable
  public init(
    targetingKey: (@Sendable (Context) -> String?)? = nil, _ attributes: [FlagAttribute<Context>]
  ) {
    contents = Contents(targetingKey, attributes)
  }

  /// The names of the attributes, in the order in which they are listed.
  public var names: [String] { contents.attributes.map(\.name) }

  /// The targeting key of a context.
  @inlinable
  public func targetingKey(of context: Context) -> String? { contents.key?(context) }

  /// Returns the attribute with a name.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - context: The context to read from.
  /// - Returns: `nil` if the attribute is not listed, or the context has no value for it.
  /// - Complexity: O(*n*) for *n* attributes. Names of other lengths are skipped without a comparison.
  @inlinable
  public func attribute(_ name: String, of context: Context) -> FlagValue? {
    let count = name.utf8.count
    let attributes = contents.attributes
    for index in attributes.indices where attributes[index].name.utf8.count == count && attributes[index].name == name {
      return attributes[index].read(context)
    }
    return nil
  }

  /// All attributes of a context.
  public func attributes(of context: Context) -> [String: FlagValue] {
    var values: [String: FlagValue] = [:]
    for attribute in contents.attributes.reversed() { values[attribute.name] = attribute.read(context) }
    return values
  }
}
