import Synchronization

/// A part of a program that registers its services itself.
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
/// The names of modules stand beside the places where services are registered: in errors, graphs and explanations.
public protocol InjectorModule: SendableMetatype {
  /// The modules that are installed before this one.
  static var requires: [any InjectorModule.Type] { get }

  /// Registers the services of the module.
  ///
  /// - Parameter injector: The injector that the module is installed in.
  static func register(in injector: Injector) throws
}

extension InjectorModule {
  /// No modules.
  public static var requires: [any InjectorModule.Type] { [] }
}

/// A module that a call of `install` registers.
final class Installation: Sendable {
  /// Nothing else is looked at as long as none is under way.
  private static let underWay = Atomic(0)
  @TaskLocal private static var inherited: Installation?

  /// The installation that the calling code is part of.
  static var current: Installation? { underWay.load(ordering: .relaxed) == 0 ? nil : inherited }

  let module: any InjectorModule.Type
  fileprivate let call: InstallationCall

  fileprivate init(_ module: any InjectorModule.Type, _ call: InstallationCall) {
    self.module = module
    self.call = call
  }

  /// Adds the name of the module to the location of what it registers.
  func stamp(_ location: CodeLocation) -> CodeLocation {
    CodeLocation(fileID: location.fileID, line: location.line, module: location.module ?? typeName(module))
  }

  fileprivate func register() throws {
    Self.underWay.add(1, ordering: .relaxed)
    defer { Self.underWay.subtract(1, ordering: .relaxed) }
    try Self.$inherited.withValue(self) { try module.register(in: call.injector) }
  }
}

/// A call of `install`, with those that its modules make.
private final class InstallationCall: Sendable {
  let injector: Injector
  /// In the order in which they were begun.
  let installations = Guarded<[Installation]>([])

  init(_ injector: Injector) { self.injector = injector }

  func contains(_ module: any InjectorModule.Type) -> Bool {
    installations.withLock { $0.contains { $0.module == module } }
  }
}

/// The modules that an injector has, of calls that have succeeded.
private final class InstalledModules: CopiedAttachment {
  private let modules: Guarded<Set<ObjectIdentifier>>
  /// What one call after another claims, so that no module is passed over that is taken out again.
  let turnstile = Cell(
    Registration(
      Key((any InjectorModule).self), .lazySingleton, .unused, depth: 0,
      location: CodeLocation(fileID: #fileID, line: #line)))

  init(_ modules: Set<ObjectIdentifier> = []) { self.modules = Guarded(modules) }

  func copy(for injector: Injector) -> InstalledModules { InstalledModules(modules.withLock { $0 }) }

  func contains(_ module: any InjectorModule.Type) -> Bool {
    modules.withLock { $0.contains(ObjectIdentifier(module)) }
  }

  func insert(_ new: [Installation]) { modules.withLock { $0.formUnion(new.map { ObjectIdentifier($0.module) }) } }
}

extension Injector {
  /// Installs modules, each of them once, and before each the modules that it requires.
  ///
  /// ```swift
  /// try services.install(SearchModule.self, PaymentModule.self)
  /// try services.seal()
  /// ```
  ///
  /// A module that is installed already, here or in an injector around this one, is passed over. A call waits for those
  /// of other threads to end, so that each has the modules it needs, however another one ends.
  ///
  /// If a module throws, nothing of this call stays registered. What else the modules have done, such as decorating
  /// services or setting properties, stays; and what they have replaced does not come back.
  ///
  /// - Parameters:
  ///   - modules: The modules, in the order in which they are installed unless one requires another.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Throws: What `register(in:)` throws, in ``InjectorError/constructionFailed(_:underlying:)`` if that is no
  ///   `InjectorError`; ``InjectorError/circularDependency(_:path:)`` if a module requires itself;
  ///   ``InjectorError/closed(_:)``.
  /// - Complexity: O(*n*) for *n* modules and what they require.
  public func install(
    _ modules: any InjectorModule.Type..., fileID: String = #fileID, line: Int = #line
  ) throws(InjectorError) {
    let location = CodeLocation(fileID: fileID, line: line)
    let injector = redirectedForSetUp(at: location) ?? self
    if injector.levels.contains(where: \.isClosedItself) {
      throw injector.closed(InjectorError.Facts(aboutWhole: injector))
    }
    if let call = Installation.current?.call, call.injector === injector {
      return try injector.install(modules, in: call, at: location)
    }
    let installed =
      injector.updateAttachment(InstalledModules.self) { $0 ?? InstalledModules() } ?? InstalledModules()
    try Level.current.with { (stack) throws(InjectorError) in
      while case .wait = installed.turnstile.turn(for: stack.work) {
        _ = try installed.turnstile.wait(Asker(stack), injector)
      }
      let work = stack.work
      defer { installed.turnstile.fail(.look, by: work) }
      let call = InstallationCall(injector)
      do throws(InjectorError) {
        try injector.install(modules, in: call, at: location)
      } catch {
        for installation in call.installations.withLock({ $0 }).reversed() { injector.uninstall(installation) }
        throw error
      }
      installed.insert(call.installations.withLock { $0 })
    }
  }

  private func install(
    _ modules: [any InjectorModule.Type], in call: InstallationCall, at location: CodeLocation
  ) throws(InjectorError) {
    var plan = InstallationPlan(call: call, location: location)
    for module in modules { try plan.add(module, requiredBy: []) }
    for module in plan.modules where !call.contains(module) {
      let installation = Installation(module, call)
      call.installations.withLock { $0.append(installation) }
      do {
        try installation.register()
      } catch let error as InjectorError {
        throw error
      } catch {
        throw .constructionFailed(InjectorError.Facts(module: module, at: location, in: self), underlying: error)
      }
    }
  }

  fileprivate func hasInstalled(_ module: any InjectorModule.Type) -> Bool {
    levels.contains { $0.attachment(InstalledModules.self)?.contains(module) ?? false }
  }

  /// Takes out what a module has registered. That is refused if the module has sealed or closed the injector; then
  /// nothing of it can change any more.
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

extension InjectorError.Facts {
  fileprivate init(module: any InjectorModule.Type, at location: CodeLocation, in injector: Injector) {
    self.init(.named(typeName(module), .module), in: Path(injector))
    values.requestedAt = location
  }
}

/// Modules in the order in which they are installed.
private struct InstallationPlan {
  let call: InstallationCall
  let location: CodeLocation
  private(set) var modules: [any InjectorModule.Type] = []

  init(call: InstallationCall, location: CodeLocation) {
    self.call = call
    self.location = location
  }

  mutating func add(
    _ module: any InjectorModule.Type, requiredBy way: [any InjectorModule.Type]
  ) throws(InjectorError) {
    if call.injector.hasInstalled(module) || call.contains(module) || modules.contains(where: { $0 == module }) {
      return
    }
    if let start = way.firstIndex(where: { $0 == module }) {
      throw .circularDependency(
        InjectorError.Facts(module: module, at: location, in: call.injector),
        path: (way[start...] + [module]).map { typeName($0) })
    }
    for required in module.requires { try add(required, requiredBy: way + [module]) }
    modules.append(module)
  }
}
