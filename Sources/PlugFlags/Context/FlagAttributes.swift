/// A context of attributes by name.
///
/// ```swift
/// let shopper: FlagAttributes = ["targetingKey": "p-17", "country": "DE", "address": ["city": "Ulm"]]
/// document.evaluate(.newCheckout, in: shopper)
/// ```
public struct FlagAttributes: FlagContext, Hashable {
  /// The attributes by name, the targeting key among them.
  public var attributes: [String: FlagValue]

  /// The names of the attributes whose values explanations hide. They are not encoded.
  public var privateAttributes: Set<String> = []

  /// Creates a context without attributes.
  public init() {
    attributes = [:]
  }

  /// Creates a context.
  ///
  /// - Parameters:
  ///   - targetingKey: The identifier, such as the id of an account.
  ///   - attributes: The attributes by name.
  public init(targetingKey: String? = nil, _ attributes: [String: FlagValue] = [:]) {
    self.attributes = attributes
    if let targetingKey { self.attributes["targetingKey"] = .string(targetingKey) }
  }

  /// The attribute `targetingKey`, if it is a string.
  public var targetingKey: String? {
    attributes["targetingKey"].flatMap(String.read)
  }

  /// Returns the attribute with a name.
  ///
  /// - Complexity: O(1).
  public func attribute(_ name: String) -> FlagValue? { attributes[name] }

  /// The attribute with a name.
  public subscript(name: String) -> FlagValue? {
    get { attributes[name] }
    set { attributes[name] = newValue }
  }
}

extension FlagAttributes: ExpressibleByDictionaryLiteral {
  /// Creates a context. If several attributes have the same name, the last one is used.
  public init(dictionaryLiteral elements: (String, FlagValue)...) {
    self.init(elements.reduce(into: [:]) { $0[$1.0] = $1.1 })
  }
}

extension FlagAttributes: Codable {
  /// Decodes an object.
  public init(from decoder: any Decoder) throws {
    self.init(try [String: FlagValue](from: decoder))
  }

  /// Encodes an object.
  public func encode(to encoder: any Encoder) throws {
    try attributes.encode(to: encoder)
  }
}
