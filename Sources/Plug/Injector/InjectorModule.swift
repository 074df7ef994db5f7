import Synchronization

/// A part of a program that registers its own services.
///
/// ```swift
/// enum SearchModule: InjectorModule {
///   static let requires: [any InjectorModule.Type] = [NetworkModule.self]
///
///   static func register(in injector: Injector) throws {
///     try injector.register(injectable: .lazySingleton(wiring: Search.init))
///   }
/// }
///
/// try services.install(SearchModule.self, PaymentModule.self)
/// ```
///
/// Errors, graphs and explanations show the module beside the location of a registration.
public protocol InjectorModule: SendableMetatype {
  /// The modules that are installed before this one.
  static var requires: [any InjectorModule.Type] { get }

  /// Registers the services of the module.
  ///
  /// - Parameter injector: The injector in which the module is installed.
  static func register(in injector: Injector) throws
}

extension InjectorModule {
  /// No modules.
  public static var requires: [any InjectorModule.Type] { [] }
}

/// A module that a call of `install` registers.
final class Installation: Sendable {
  /// The number of installations in progress. While it is 0, nothing else is checked.
  private static let underWay = Atomic(0)
  @TaskLocal private static var inherited: Installation?

  /// The installation that the calling code is part of.
  static var current: Installation? { underWay.load(ordering: .relaxed) == 0 ? nil : inherited }

  let module: any InjectorModule.Type

  fileprivate init(_ module: any InjectorModule.Type) { self.module = module }

  /// Adds the name of the module to the location of a registration.
  func stamp(_ location: CodeLocation) -> CodeLocation {
    CodeLocation(fileID: location.fileID, line: location.line, module: location.module ?? typeName(module))
  }

  fileprivate func register(in injector: Injector) throws {
    Self.underWay.add(1, ordering: .relaxed)
    defer { Self.underWay.subtract(1, ordering: .relaxed) }
    try Self.$inherited.withValue(self) { try module.register(in: injector) }
  }
}

/// The modules that are installed in an injector.
private final class InstalledModules: CopiedAttachment {
  private struct State {
    /// The modules of successful calls.
    var installed: [any InjectorModule.Type] = []
    /// The modules of the call in progress, in the order in which they were begun.
    var begun: [Installation] = []
  }

  private let state: Guarded<State>
  /// The cell that calls claim one after the other, so that no call skips a module that is then removed.
  let turnstile = Cell(
    Registration(
      Key((any InjectorModule).self), .lazySingleton, .unused, depth: 0,
      location: CodeLocation(fileID: #fileID, line: #line)))

  init(_ installed: [any InjectorModule.Type] = []) { state = Guarded(State(installed: installed)) }

  func copy(for injector: Injector) -> InstalledModules { InstalledModules(state.withLock { $0.installed }) }

  func has(_ module: any InjectorModule.Type) -> Bool { state.withLock { $0.installed.contains { $0 == module } } }

  func isBegun(_ module: any InjectorModule.Type) -> Bool {
    state.withLock { $0.begun.contains { $0.module == module } }
  }

  /// Whether an installation is part of the call that is under way.
  func isBegun(_ installation: Installation) -> Bool { state.withLock { $0.begun.contains { $0 === installation } } }

  func begin(_ installation: Installation) { state.withLock { $0.begun.append(installation) } }

  /// Ends the call.
  ///
  /// - Returns: The installations of the call.
  func end(hasSucceeded: Bool) -> [Installation] {
    state.withLock { state in
      defer { state.begun = [] }
      if hasSucceeded { state.installed += state.begun.map(\.module) }
      return state.begun
    }
  }
}

extension Injector {
  /// Installs each module once, after the modules that it requires.
  ///
  /// ```swift
  /// try services.install(SearchModule.self, PaymentModule.self)
  /// try services.seal()
  /// ```
  ///
  /// A module that is already installed here or in a parent is skipped. A call waits for concurrent calls on other
  /// threads, so that its modules are installed when it returns, even if another call fails.
  ///
  /// If a module throws, the registrations of this call are removed. Other effects, such as decorators and values of
  /// properties, remain, and replaced registrations are not restored.
  ///
  /// - Parameters:
  ///   - modules: The modules. They are installed in this order, unless one requires another.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Throws: The `InjectorError` that `register(in:)` throws; ``InjectorError/constructionFailed(_:underlying:)``
  ///   with any other error; ``InjectorError/circularDependency(_:path:)`` if a module requires itself;
  ///   ``InjectorError/closed(_:)``.
  /// - Complexity: O(*n*) for *n* modules, including the required ones.
  public func install(
    _ modules: any InjectorModule.Type..., fileID: String = #fileID, line: Int = #line
  ) throws(InjectorError) {
    let location = CodeLocation(fileID: fileID, line: line)
    let injector = redirectedForSetUp(at: location) ?? self
    if injector.levels.contains(where: \.isClosedItself) {
      throw injector.closed(InjectorError.Facts(aboutWhole: injector))
    }
    guard let known = injector.updateAttachment(InstalledModules.self, { $0 ?? InstalledModules() }) else { return }
    if let current = Installation.current, known.isBegun(current) {
      return try injector.install(modules, in: known, at: location)
    }
    try Level.current.with { (stack) throws(InjectorError) in
      while case .wait = known.turnstile.turn(for: stack.work) {
        _ = try known.turnstile.wait(Asker(stack), injector)
      }
      let work = stack.work
      defer { known.turnstile.fail(.look, by: work) }
      do throws(InjectorError) {
        try injector.install(modules, in: known, at: location)
      } catch {
        for installation in known.end(hasSucceeded: false).reversed() { injector.uninstall(installation) }
        throw error
      }
      _ = known.end(hasSucceeded: true)
    }
  }

  private func install(
    _ modules: [any InjectorModule.Type], in known: InstalledModules, at location: CodeLocation
  ) throws(InjectorError) {
    func facts(_ module: any InjectorModule.Type) -> InjectorError.Facts {
      var facts = InjectorError.Facts(.named(typeName(module), .module), in: InjectorError.Facts.Path(self))
      facts.values.requestedAt = location
      return facts
    }
    var plan: [any InjectorModule.Type] = []
    func add(
      _ module: any InjectorModule.Type, requiredBy way: [any InjectorModule.Type]
    ) throws(InjectorError) {
      let isThere = levels.contains { $0.attachment(InstalledModules.self)?.has(module) ?? false }
      if isThere || known.isBegun(module) || plan.contains(where: { $0 == module }) { return }
      if let start = way.firstIndex(where: { $0 == module }) {
        throw .circularDependency(facts(module), path: (way[start...] + [module]).map { typeName($0) })
      }
      for required in module.requires { try add(required, requiredBy: way + [module]) }
      plan.append(module)
    }
    for module in modules { try add(module, requiredBy: []) }
    for module in plan where !known.isBegun(module) {
      let installation = Installation(module)
      known.begin(installation)
      do {
        try installation.register(in: self)
      } catch let error as InjectorError {
        throw error
      } catch {
        throw .constructionFailed(facts(module), underlying: error)
      }
    }
  }

  /// Removes the registrations of a module. If the module has sealed or closed the injector, its registrations remain.
  private func uninstall(_ installation: Installation) {
    for cell in cells {
      for part in cell.parts where part.registration.installation === installation {
        if let candidate = part.registration.candidate {
          try? unregister(candidate: candidate, of: cell.registration.key)
        } else {
          unregister(part.registration)
        }
      }
    }
  }
}
