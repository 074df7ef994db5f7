extension Injector {
  /// The name of an injector.
  ///
  /// Declare the names of your app once, and use them to create and find injectors:
  ///
  /// ```swift
  /// nonisolated extension Injector.Name { static let services: Self = "services" }
  ///
  /// let services = Injector(.services)
  /// struct ViewModel { @Injected(.services) var network: any Networking }
  /// ```
  ///
  /// Two names are equal if their strings are equal. A name has the size of a pointer, and is compared in O(1).
  public struct Name: Hashable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    package let environment: Environment

    /// The name of ``Injector/default``.
    public static let `default`: Self = "default"

    /// The name of the calling task's current injector, for properties: `@Injected(.current)`.
    ///
    /// Such a property gets its value on each read, from the injector that is then ``Injector/current``.
    /// `Injector[.current]` traps with a diagnostic if there is none. An injector that is created with this name has no
    /// name.
    public static let current = Self(.ofTask)

    /// Creates a name from a string.
    ///
    /// Keep names in a `static let`. Creating one looks it up in a table, while using an existing one does not.
    ///
    /// - Parameter rawValue: The name as a string.
    public init(rawValue: String) { environment = .named(rawValue) }

    init(_ environment: Environment) { self.environment = environment }

    /// The name as a string.
    public var rawValue: String { environment.name }

    /// Creates a name from a string literal, which may have interpolations.
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// The name as a string.
    public var description: String { rawValue }
  }

  /// The injector that is used if none is specified, for example by `@Injected` without a name, or by a point that is
  /// used without an injector.
  ///
  /// It exists for as long as the program runs. Libraries should create their own injector instead.
  public static let `default` = Name.default.environment.placeholder
}
