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

/// A module that is being installed, or has been, in an injector.
final class Installation: Sendable {
  /// Nothing else is looked at as long as none is under way.
  private static let underWay = Atomic(0)
  @TaskLocal private static var inherited: Installation?

  /// The installation that the calling code is part of.
  static var current: Installation? { underWay.load(ordering: .relaxed) == 0 ? nil : inherited }

  let module: any InjectorModule.Type

  init(_ module: any InjectorModule.Type) { self.module = module }

  /// Adds the name of the module to the location of what it registers.
  func stamp(_ location: CodeLocation) -> CodeLocation {
    CodeLocation(fileID: location.fileID, line: location.line, module: location.module ?? typeName(module))
  }

  func register(in injector: Injector) throws {
    Self.underWay.add(1, ordering: .relaxed)
    defer { Self.underWay.subtract(1, ordering: .relaxed) }
    try Self.$inherited.withValue(self) { try module.register(in: injector) }
  }
}

/// The modules that an injector has.
private final class InstalledModules: CopiedAttachment {
  private let modules: Guarded<Set<ObjectIdentifier>>

  init(_ modules: Set<ObjectIdentifier> = []) { self.modules = Guarded(modules) }

  var copy: InstalledModules { InstalledModules(modules.withLock { $0 }) }

  func contains(_ module: any InjectorModule.Type) -> Bool {
    modules.withLock { $0.contains(ObjectIdentifier(module)) }
  }

  func insert(_ module: any InjectorModule.Type) -> Bool {
    modules.withLock { $0.insert(ObjectIdentifier(module)).inserted }
  }

  func remove(_ module: any InjectorModule.Type) { modules.withLock { _ = $0.remove(ObjectIdentifier(module)) } }
}

extension Injector {
  /// Installs modules, each of them once, and before each the modules that it requires.
  ///
  /// ```swift
  /// try services.install(SearchModule.self, PaymentModule.self)
  /// try services.seal()
  /// ```
  ///
  /// A module that is installed already, here or in an injector around this one, is passed over; so is one that another
  /// thread is installing at the same time, without waiting for it.
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
    let injector = redirected() ?? self
    var plan = InstallationPlan(injector: injector, location: location)
    for module in modules { try plan.add(module, requiredBy: []) }
    if injector.levels.contains(where: \.isClosedItself) {
      throw injector.closed(InjectorError.Facts(aboutWhole: injector))
    }
    let installed = injector.updateAttachment(InstalledModules.self) { $0 ?? InstalledModules() }
    var done: [Installation] = []
    do throws(InjectorError) {
      for module in plan.modules where installed?.insert(module) ?? false {
        let installation = Installation(module)
        done.append(installation)
        try injector.install(installation, at: location)
      }
    } catch {
      for installation in done.reversed() {
        injector.uninstall(installation)
        installed?.remove(installation.module)
      }
      throw error
    }
  }

  fileprivate func hasInstalled(_ module: any InjectorModule.Type) -> Bool {
    levels.contains { $0.attachment(InstalledModules.self)?.contains(module) ?? false }
  }

  private func install(_ installation: Installation, at location: CodeLocation) throws(InjectorError) {
    do {
      try installation.register(in: self)
    } catch let error as InjectorError {
      throw error
    } catch {
      throw .constructionFailed(
        InjectorError.Facts(module: installation.module, at: location, in: self), underlying: error)
    }
  }

  /// Takes out what a module has registered. That is refused if the module has sealed or closed the injector; then
  /// nothing of it can change any more.
  private func uninstall(_ installation: Installation) {
    for cell in cells {
      for part in cell.selector?.cells ?? [cell] where part.registration.installation === installation {
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
    requestedAt = location
  }
}

/// Modules in the order in which they are installed.
private struct InstallationPlan {
  let injector: Injector
  let location: CodeLocation
  private(set) var modules: [any InjectorModule.Type] = []

  init(injector: Injector, location: CodeLocation) {
    self.injector = injector
    self.location = location
  }

  mutating func add(
    _ module: any InjectorModule.Type, requiredBy way: [any InjectorModule.Type]
  ) throws(InjectorError) {
    if injector.hasInstalled(module) || modules.contains(where: { $0 == module }) { return }
    if let start = way.firstIndex(where: { $0 == module }) {
      throw .circularDependency(
        InjectorError.Facts(module: module, at: location, in: injector),
        path: (way[start...] + [module]).map { typeName($0) })
    }
    for required in module.requires { try add(required, requiredBy: way + [module]) }
    modules.append(module)
  }
}
