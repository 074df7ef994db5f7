/// The attributes that a type has for flags, listed by key path.
///
/// See ``ListedFlagContext`` for how it is used.
public struct FlagAttributeList<Context>: Sendable {
  /// The names of the attributes, in the order in which they are listed.
  public let names: [String]

  @usableFromInline let key: (@Sendable (Context) -> String?)?
  @usableFromInline let attributes: [FlagAttribute<Context>]

  /// Creates a list.
  ///
  /// - Parameters:
  ///   - targetingKey: What identifies a context, such as the id of an account.
  ///   - attributes: The attributes. Of several with the same name the first counts.
  public init(
    targetingKey: (@Sendable (Context) -> String?)? = nil, _ attributes: [FlagAttribute<Context>]
  ) {
    key = targetingKey
    self.attributes = attributes
    names = attributes.map(\.name)
  }

  /// The targeting key of a context.
  @inlinable
  public func targetingKey(of context: Context) -> String? { key?(context) }

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
    for index in names.indices where names[index].utf8.count == count && names[index] == name {
      return attributes[index].read(context)
    }
    return nil
  }

  /// All attributes of a context.
  public func attributes(of context: Context) -> [String: FlagValue] {
    var values: [String: FlagValue] = [:]
    for attribute in attributes.reversed() { values[attribute.name] = attribute.read(context) }
    return values
  }
}
