extension Injector {
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
}
