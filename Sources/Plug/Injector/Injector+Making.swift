extension Injector {
  /// The injector used where no other is specified, for example by `@Injected` without a name, or by a point that is
  /// used by itself.
  ///
  /// It exists for as long as the program runs. Libraries should create their own injector instead.
  public static let `default` = Name.default.environment.findOutside()

  /// Creates an empty injector.
  ///
  /// ```swift
  /// let services = Injector("services")  // found by Injector["services"]
  /// let local = Injector()               // not found by name
  /// ```
  ///
  /// - Parameters:
  ///   - name: A name for diagnostics, by which `Injector[name]` finds the injector until it is closed or released. If
  ///     another injector has the name, that is found until then; ``validate(_:)``, ``seal(_:)`` and errors say so once
  ///     the name is looked up.
  ///   - allowRewrite: Whether a service may be registered again. If `false`, registering it again throws
  ///     ``InjectorError/alreadyRegistered(_:)``.
  public convenience init(_ name: Name? = nil, allowRewrite: Bool = false) {
    let name = name == .current ? nil : name
    self.init(named: name, allowRewrite: allowRewrite, sandbox: Layers.sandbox)
    if let name, name != .default { name.environment.claim(for: self) }
  }

  /// The name; for a scope, preceded by the names of the injectors it was opened in.
  package var path: String? { isScope ? InjectorError.Facts.Path(self).text : name?.rawValue }

  /// The names on the way from the outermost injector to this one, of those that have any.
  var names: [String] { levels.compactMap { $0.scopeName ?? $0.name?.rawValue }.reversed() }

  /// Whether nothing has been registered in it.
  /// Providers that were used by the name of an injector do not make a placeholder the injector.
  var isUntouched: Bool {
    let (cells, phase, attachments) = state.withLock { ($0.cells, $0.phase, $0.attachments) }
    return phase != .sealed
      && attachments.allSatisfy { ($0.object as? any EndingAttachment)?.isIdle ?? false }
      && cells.allSatisfy { $0.registration.key.typed?.kind == .key }
  }
}

extension Injector: CustomStringConvertible {
  /// The injector with its name, such as `Injector("services")`, or `Injector("services/request")` for a scope.
  public var description: String { path.map { "Injector(\"\($0)\")" } ?? "Injector()" }
}
