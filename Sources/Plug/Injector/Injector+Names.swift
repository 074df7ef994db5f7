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
}

extension Injector {
  /// The injector that is used if none is specified, for example by `@Injected` without a name, or by a point that is
  /// used without an injector.
  ///
  /// It exists for as long as the program runs. Libraries should create their own injector instead.
  public static let `default` = Name.default.environment.placeholder

  /// Creates an empty injector.
  ///
  /// ```swift
  /// let services = Injector("services")  // found by Injector["services"]
  /// let local = Injector()               // not found by name
  /// ```
  ///
  /// - Parameters:
  ///   - name: A name for diagnostics, by which `Injector[name]` finds the injector until it is closed or released, or
  ///     until another one is created with the name.
  ///   - allowRewrite: Whether a service may be registered again. If `false`, registering it again throws
  ///     ``InjectorError/alreadyRegistered(_:)``.
  public convenience init(_ name: Name? = nil, allowRewrite: Bool = false) {
    let name = name == .current ? nil : name
    self.init(named: name, allowRewrite: allowRewrite, sandbox: Layers.sandbox)
    takeName()
  }

  /// Creates an injector with its registrations, and seals it.
  ///
  /// ```swift
  /// let app = Injector("app") { app in
  ///   try app.register(Networking.self) { HTTPNetworking() }
  ///   try app.register(wiring: Repository.init)
  /// }
  /// ```
  ///
  /// It traps with a diagnostic if a registration throws or if ``seal(strict:)`` finds a problem, so that a wrongly
  /// wired program ends at launch. To handle the error, register the services and call ``seal(strict:)`` yourself.
  ///
  /// - Parameters:
  ///   - name: A name for diagnostics, by which `Injector[name]` finds the injector.
  ///   - allowRewrite: Whether a service may be registered again.
  ///   - fileID: The file of the call, which a trap reports.
  ///   - line: The line of the call, which a trap reports.
  ///   - register: Registers the services.
  public convenience init(
    _ name: Name? = nil, allowRewrite: Bool = false, fileID: StaticString = #fileID, line: UInt = #line,
    _ register: (Injector) throws -> Void
  ) {
    self.init(name, allowRewrite: allowRewrite)
    do {
      try register(self)
      try seal()
    } catch {
      trap("\(self) cannot be set up.", error, fileID, line)
    }
  }

  /// Returns the environment with a name: the injector that all code of the program finds by that name.
  ///
  /// ```swift
  /// let services = Injector("services")          // becomes the environment
  /// let network = try Injector[.services].get((any Networking).self)
  /// ```
  ///
  /// A name refers to the open injector or scope that was created with it last. If there is none, this subscript makes
  /// an empty injector for the name and keeps it until the program ends. Create the injector of a name before you
  /// register by that name, because later injectors do not take over registrations of the empty one.
  ///
  /// In an isolated test, the subscript finds what the test created before what the program created.
  /// `Injector[.current]` returns ``current``, and traps with a diagnostic if there is none.
  ///
  /// - Parameters:
  ///   - name: The name of the environment. ``Name/default`` returns ``default``.
  ///   - fileID: The file of the call, which a trap reports.
  ///   - line: The line of the call, which a trap reports.
  public static subscript(
    name: Name, fileID fileID: StaticString = #fileID, line line: UInt = #line
  ) -> Injector {
    if name.environment.isOfTask {
      return orTrap("Injector[.current] failed.", fileID, line) { () throws(InjectorError) in
        try requireCurrent(for: Key(Injector.self))
      }
    }
    return name == .default ? .default : name.environment.find()
  }

  /// Makes the name refer to this injector, which has just been created.
  func takeName() {
    if let name, name != .default { name.environment.add(self) }
  }

  /// The name; for a scope, preceded by the names of the injectors it was opened in.
  package var path: String? { isScope ? InjectorError.Facts.Path(self).text : name?.rawValue }

  /// The names of the injectors from the outermost one to this one, without those that have no name.
  var names: [String] { levels.compactMap { $0.scopeName ?? $0.name?.rawValue }.reversed() }
}

extension Injector: CustomStringConvertible {
  /// The injector with its name, such as `Injector("services")`, or `Injector("services/request")` for a scope.
  public var description: String { path.map { "Injector(\"\($0)\")" } ?? "Injector()" }
}
