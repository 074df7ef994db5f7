/// The attributes that a type has for flags, listed by key path.
///
/// See ``ListedFlagContext`` for how it is used.
public struct FlagAttributeList<Context>: Sendable {
  @usableFromInline let contents: Contents

  /// What a list consists of, behind one reference, because a list is copied at each look into it.
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
  ///   - targetingKey: What identifies a context, such as the id of an account.
  ///   - attributes: The attributes. Of several with the same name the first counts.
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

  /// The attribute of a name.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - context: Where it is read.
  /// - Returns: `nil` if none is listed, or the context has none.
  /// - Complexity: O(*n*) for *n* attributes. Names of other lengths take next to nothing.
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
