import Plug

/// A flag of a document.
public final class Flag: Sendable {
  /// The key, which is unique in the document.
  public let key: String

  /// Whether the flag is enabled. Each evaluation of a disabled flag returns the caller's default.
  public let isEnabled: Bool

  /// Whether the flag can be evaluated. If not, ``FlagDocument/problems`` contains the reasons.
  public let isValid: Bool

  /// The name of the variant that is used if the targeting chooses none; `nil` for the caller's default.
  public let defaultVariant: String?

  /// The metadata of the document and the flag. If both have a value of the same name, the flag's value is used.
  public let metadata: [String: FlagValue]

  /// The flag as it is written in a document without evaluators and metadata.
  let json: JSON

  /// The index of the flag, if its document lists flags in an array.
  let index: Int?

  let targeting: (any Expression)?

  /// The version of `fractional`, and the hash of the key, with which the hash of each targeting key begins.
  let version: FractionalVersion
  let hash: MurmurHash3
  private let values: NameTable<Variant>

  @usableFromInline
  final class Variant: Sendable {
    @usableFromInline let name: String
    @usableFromInline let value: FlagValue

    init(name: String, value: FlagValue) {
      (self.name, self.value) = (name, value)
    }
  }

  init(
    key: String, isEnabled: Bool, isValid: Bool, variants: [Variant], defaultVariant: String?,
    metadata: [String: FlagValue], targeting: (any Expression)?, version: FractionalVersion, json: JSON,
    index: Int? = nil
  ) {
    (self.key, self.isEnabled, self.isValid) = (key, isEnabled, isValid)
    (self.defaultVariant, self.metadata, self.targeting, self.json) = (defaultVariant, metadata, targeting, json)
    self.index = index
    (self.version, hash) = (version, version.hashing.prefix(key))
    values = NameTable(variants, name: \.name)
  }

  /// The names of the variants, in the order in which the document has them.
  public var variants: [String] { values.names }

  /// Whether the variant depends on the context.
  public var isTargeted: Bool { targeting != nil }

  /// The value of a variant.
  ///
  /// - Returns: `nil` if the flag has no variant of this name.
  public func value(of variant: String) -> FlagValue? { values[variant]?.value }

  func variant(_ name: String) -> Variant? { values[name] }
}
