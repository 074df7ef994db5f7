/// A part of a program that registers its own services.
///
/// ```swift
/// enum SearchModule: InjectorModule {
///   static let requires: [any InjectorModule.Type] = [NetworkModule.self]
///
///   static func register(in injector: Injector) throws {
///     try injector.register(wiring: Search.init)
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

/// The modules that are installed in an injector, and what a failing call of `install` has to restore.
private final class InstalledModules: Attachment {
  struct State {
    var installed: Set<ObjectIdentifier> = []
    /// The name of the module that registers its services.
    var current: String?
    /// The number of calls in progress.
    var calls = 0
    /// Cells that those calls have replaced. They keep their instances until the calls have ended.
    var replaced: [Cell] = []
  }

  let state: Guarded<State>

  init(_ installed: Set<ObjectIdentifier> = []) { state = Guarded(State(installed: installed)) }

  func copy(for injector: Injector) -> InstalledModules? { InstalledModules(state.withLock { $0.installed }) }

  func has(_ module: any InjectorModule.Type) -> Bool {
    state.withLock { $0.installed.contains(ObjectIdentifier(module)) }
  }

  func register(_ module: any InjectorModule.Type, in injector: Injector) throws {
    let outer = state.withLock { state in
      defer { state.current = typeName(module) }
      return state.current
    }
    defer { state.withLock { $0.current = outer } }
    try module.register(in: injector)
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
  /// A module that is already installed here or in a parent is skipped.
  ///
  /// If a module throws, the registrations of this injector become what they were before the call, including replaced
  /// ones, candidates and decorators, unless the module has sealed or closed the injector. Other effects, such as
  /// values of properties, remain.
  ///
  /// Install modules at launch, on one thread. A concurrent call can skip a module whose services are not registered
  /// yet, and a call that throws also removes what other threads have registered meanwhile.
  ///
  /// - Parameters:
  ///   - modules: The modules. They are installed in this order, unless one requires another.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Throws: The `InjectorError` that `register(in:)` throws; ``InjectorError/constructionFailed(_:underlying:)``
  ///   with any other error; ``InjectorError/circularDependency(_:path:)`` if a module requires itself;
  ///   ``InjectorError/closed(_:)``.
  /// - Complexity: O(*n*) for *n* modules, including the required ones, and registered services.
  public func install(
    _ modules: any InjectorModule.Type..., fileID: String = #fileID, line: Int = #line
  ) throws(InjectorError) {
    let location = CodeLocation(fileID: fileID, line: line)
    let injector = activeForSetUp(at: location)
    if injector.levels.contains(where: \.isClosedItself) {
      throw injector.closedError
    }
    guard let known = injector.updateAttachment(InstalledModules.self, { $0 ?? InstalledModules() }) else { return }
    // Candidates change in place, so that a choice is copied.
    let cells = injector.cells.compactMap { injector.registeredCell(of: $0.registration.key)?.mapping(\.self) }
    let decorations = injector.attachment(Decorations.self)
    let installed = known.state.withLock { state in
      state.calls += 1
      return state.installed
    }
    defer { injector.endInstalling(known) }
    do throws(InjectorError) {
      for module in modules { try injector.install(module, requiredBy: [], known, at: location) }
    } catch {
      known.state.withLock { $0.installed = installed }
      if !injector.isSealedItself { injector.restore(cells, decorations) }
      throw error
    }
  }

  private func install(
    _ module: any InjectorModule.Type, requiredBy way: [any InjectorModule.Type], _ known: InstalledModules,
    at location: CodeLocation
  ) throws(InjectorError) {
    if levels.contains(where: { $0.attachment(InstalledModules.self)?.has(module) ?? false }) { return }
    var facts = InjectorError.Facts(.named(typeName(module), .module), in: Path(self))
    facts.values.requestedAt = location
    if let start = way.firstIndex(where: { $0 == module }) {
      throw .circularDependency(facts, path: (start...way.count).map { typeName($0 < way.count ? way[$0] : module) })
    }
    for required in module.requires { try install(required, requiredBy: way + [module], known, at: location) }
    guard known.state.withLock({ $0.installed.insert(ObjectIdentifier(module)).inserted }) else { return }
    do {
      try known.register(module, in: self)
    } catch let error as InjectorError {
      throw error
    } catch {
      throw .constructionFailed(facts, underlying: error)
    }
  }

  /// Registers what was registered before a call.
  private func restore(_ cells: [Cell], _ decorations: Decorations?) {
    updateAttachment(Decorations.self) { _ in decorations }
    var before = Table()
    for cell in cells { before.insert(cell) }
    func restore(_ key: Key) {
      if registeredCell(of: key) === before[key] { return }
      // A decorator has retired the cell that it replaced, which has no instance.
      let old = before[key]?.mapping { cell in cell.isRetired ? cell.renewed : cell }
      try? replace(key, by: old, ignoresSeal: false)
    }
    for cell in self.cells { restore(cell.registration.key) }
    for cell in cells where registeredCell(of: cell.registration.key) == nil { restore(cell.registration.key) }
  }

  /// Closes the instances of replaced registrations after the last call.
  private func endInstalling(_ known: InstalledModules) {
    let replaced = known.state.withLock { state -> [Cell] in
      state.calls -= 1
      if state.calls > 0 { return [] }
      defer { state.replaced = [] }
      return state.replaced
    }
    if replaced.isEmpty { return }
    // A scope finds its own cells by their registrations, which may have been restored.
    let present = Set(cells.flatMap(\.parts).flatMap { [ObjectIdentifier($0), ObjectIdentifier($0.registration)] })
    giveUp(replaced.filter { !present.contains($0.isOwn ? ObjectIdentifier($0.registration) : ObjectIdentifier($0)) }) {
      _ in false
    }
  }

  /// Keeps the instances of replaced cells while modules are being installed, since a module may still throw.
  ///
  /// - Returns: Whether modules are being installed.
  func postpone(givingUp cells: @autoclosure () -> [Cell]) -> Bool {
    guard let known = attachment(InstalledModules.self) else { return false }
    let cells = cells()
    let isInstalling = known.state.withLock { state in
      if state.calls > 0 { state.replaced += cells }
      return state.calls > 0
    }
    // A registration that is restored adds its given instance again.
    let given = isInstalling ? cells.filter(\.registration.isHandedIn) : []
    if !given.isEmpty { state.withLock { state in _ = state.kept.take { cell in given.contains { $0 === cell } } } }
    return isInstalling
  }

  /// The location of a registration, with the module that is being installed.
  func installing(at location: CodeLocation) -> CodeLocation {
    guard let module = attachment(InstalledModules.self)?.state.withLock({ $0.current }) else { return location }
    return CodeLocation(fileID: location.fileID, line: location.line, module: module)
  }
}
