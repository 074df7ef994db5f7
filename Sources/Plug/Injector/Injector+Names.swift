extension Injector {
  /// The name of an injector.
  ///
  /// ```swift
  /// extension Injector.Name { static let services: Self = "services" }
  /// ```
  public struct Name: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    @usableFromInline let environment: Environment

    /// The name of ``Injector/default``.
    public static let `default`: Self = "default"

    /// Creates a name. Keep it in a `static let`: a name that exists already is found without looking it up.
    public init(rawValue: String) {
      environment = .named(rawValue)
    }

    @usableFromInline
    init(_ environment: Environment) {
      self.environment = environment
    }

    /// The name as text.
    public var rawValue: String { environment.name }

    /// Whether the names are the same.
    public static func == (first: Self, second: Self) -> Bool { first.environment === second.environment }

    /// Feeds the name to a hasher.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(ObjectIdentifier(environment))
    }

    /// Creates a name from a literal.
    public init(stringLiteral value: String) {
      self.init(rawValue: value)
    }

    /// The name as text.
    public var description: String { rawValue }
  }

  /// What tells two services of one type apart.
  ///
  /// ```swift
  /// extension Injector.Tag { static let replica: Self = "replica" }
  /// let database = try services.get(Database.self, tag: .replica)
  /// ```
  public struct Tag: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The tag as text.
    public let rawValue: String

    /// Creates a tag.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Creates a tag from a literal.
    public init(stringLiteral value: String) {
      self.init(rawValue: value)
    }

    /// The tag as text.
    public var description: String { rawValue }
  }
}
