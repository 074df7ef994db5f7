extension Injector {
  /// The name of an injector.
  ///
  /// Declare the names of your app once, and use them wherever an injector is created or found:
  ///
  /// ```swift
  /// extension Injector.Name { static let services: Self = "services" }
  ///
  /// let services = Injector(.services)
  /// struct ViewModel { @Injected(.services) var network: any Networking }
  /// ```
  ///
  /// Two names are equal if their texts are. A name costs one pointer to copy or compare.
  public struct Name: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    @usableFromInline let environment: Environment

    /// The name of ``Injector/default``.
    public static let `default`: Self = "default"

    /// The name of the injector that the calling task runs in, for properties: `@Injected(.current)`.
    ///
    /// Such a property gets its value anew on each read, from what ``Injector/current`` is then. `Injector[.current]`
    /// traps with a diagnostic if there is none. An injector that is created with this name has no name.
    public static let current = Self(.ofTask)

    /// Creates a name from its text.
    ///
    /// Keep names in a `static let`. Creating one looks its text up in a table, while using an existing one does not.
    ///
    /// - Parameter rawValue: The text of the name.
    public init(rawValue: String) {
      environment = .named(rawValue)
    }

    @usableFromInline
    init(_ environment: Environment) {
      self.environment = environment
    }

    /// The text of the name.
    public var rawValue: String { environment.name }

    /// Returns whether two names have the same text.
    ///
    /// - Complexity: O(1): equal names share one object.
    public static func == (first: Self, second: Self) -> Bool { first.environment === second.environment }

    /// Hashes the identity of the name into a hasher.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(ObjectIdentifier(environment))
    }

    /// Creates a name from a string literal.
    public init(stringLiteral value: String) {
      self.init(rawValue: value)
    }

    /// The text of the name.
    public var description: String { rawValue }
  }

  /// Distinguishes several services of the same type.
  ///
  /// A registration without a tag and one with a tag are independent of each other, as are those with different tags:
  ///
  /// ```swift
  /// extension Injector.Tag { static let replica: Self = "replica" }
  ///
  /// try services.register(tag: .replica, injectable: .singleton(replica))
  /// let database = try services.get(Database.self, tag: .replica)
  /// ```
  public struct Tag: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The text of the tag, which diagnostics show as `Database (tag "replica")`.
    public let rawValue: String

    /// Creates a tag from its text.
    ///
    /// - Parameter rawValue: The text of the tag. Tags with equal texts are equal.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Creates a tag from a string literal.
    public init(stringLiteral value: String) {
      self.init(rawValue: value)
    }

    /// The text of the tag.
    public var description: String { rawValue }
  }
}
