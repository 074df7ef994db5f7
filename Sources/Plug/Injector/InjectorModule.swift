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

/// The modules that are installed in an injector.
private final class InstalledModules: Attachment {
  let modules: Guarded<Set<ObjectIdentifier>>
  /// The name of the module that registers its services.
  let current = Guarded<String?>(nil)

  init(_ modules: Set<ObjectIdentifier> = []) { self.modules = Guarded(modules) }

  func copy(for injector: Injector) -> InstalledModules? { InstalledModules(modules.withLock { $0 }) }

  func has(_ module: any InjectorModule.Type) -> Bool {
    modules.withLock { $0.contains(ObjectIdentifier(module)) }
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
  /// ones, candidates and decorators, unless the module has sealed or closed the injector. Other effects remain: values
  /// of properties, for example, and the closing of instances, given ones included, that a module has replaced.
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
    if injector.levels.contains(where: \.isClosedItself) { throw injector.closedError() }
    guard let known = injector.updateAttachment(InstalledModules.self, { $0 ?? InstalledModules() }) else { return }
    // Candidates change in place, so that a choice is copied.
    let cells = injector.cells.compactMap { injector.registeredCell(of: $0.registration.key)?.mapping(\.self) }
    let decorations = injector.attachment(Decorations.self)
    let modulesBefore = known.modules.withLock { $0 }
    do throws(InjectorError) {
      for module in modules { try injector.install(module, requiredBy: [], known, at: location) }
    } catch {
      known.modules.withLock { $0 = modulesBefore }
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
    guard known.modules.withLock({ $0.insert(ObjectIdentifier(module)).inserted }) else { return }
    let outer = known.current.withLock { $0 }
    known.current.withLock { $0 = typeName(module) }
    defer { known.current.withLock { $0 = outer } }
    do {
      try module.register(in: self)
    } catch {
      throw error as? InjectorError ?? .constructionFailed(facts, underlying: error)
    }
  }

  /// Registers what was registered before a call.
  private func restore(_ cells: [Cell], _ decorations: Decorations?) {
    updateAttachment(Decorations.self) { _ in decorations }
    var before = Table()
    for cell in cells { before.insert(cell) }
    func restore(_ key: Key) {
      let present = registeredCell(of: key)
      if present === before[key] { return }
      let open = Set((present?.parts ?? []).compactMap(\.registration.instance).map(ObjectIdentifier.init))
      var closed: [Cell] = []
      let old = before[key]?.mapping { cell in
        if !cell.isRetired { return cell }
        // The instance of a replaced cell has been closed, and that of a decorated one has not.
        let new = cell.renewed
        if let instance = cell.registration.instance, !open.contains(ObjectIdentifier(instance)) { closed.append(new) }
        return new
      }
      try? replace(key, by: old)
      for cell in closed { drop(cell) }  // Or they would be closed again.
    }
    for cell in self.cells { restore(cell.registration.key) }
    for cell in cells where registeredCell(of: cell.registration.key) == nil { restore(cell.registration.key) }
  }

  /// The location of a registration, with the module that is being installed.
  func installing(at location: CodeLocation) -> CodeLocation {
    guard let module = attachment(InstalledModules.self)?.current.withLock({ $0 }) else { return location }
    return CodeLocation(fileID: location.fileID, line: location.line, module: module)
  }
}
