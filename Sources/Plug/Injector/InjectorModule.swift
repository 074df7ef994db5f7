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

/// The modules that have been installed. A metatype lives as long as the program, so that it can be known by its
/// address.
private enum InstalledModules: Property {
  static var defaultValue: Set<ObjectIdentifier> { [] }
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
    let injector = isolatedForSetUp(at: location)
    var plan = InstallationPlan(
      injector: injector, location: location, installed: try injector.get(InstalledModules.self))
    for module in modules { try plan.add(module, requiredBy: []) }
    var done: [any InjectorModule.Type] = []
    do throws(InjectorError) {
      for module in plan.modules where try injector.claim(module) {
        done.append(module)
        try injector.install(module, at: location)
      }
    } catch {
      for module in done.reversed() { injector.uninstall(module) }
      throw error
    }
  }

  /// - Returns: Whether nobody else has installed it, or is about to.
  private func claim(_ module: any InjectorModule.Type) throws(InjectorError) -> Bool {
    var isFirst = false
    try state(of: InstalledModules.self).update(for: self) { installed in
      isFirst = installed.insert(ObjectIdentifier(module)).inserted
    }
    return isFirst
  }

  private func install(_ module: any InjectorModule.Type, at location: CodeLocation) throws(InjectorError) {
    do {
      try ModuleNumber(module).install { try module.register(in: self) }
    } catch let error as InjectorError {
      throw error
    } catch {
      throw .constructionFailed(InjectorError.Facts(module: module, at: location, in: self), underlying: error)
    }
  }

  private func uninstall(_ module: any InjectorModule.Type) {
    let number = ModuleNumber(module)
    for entry in registrations.stored where !entry.isState && !entry.isCopy {
      let rest = entry.without(number)
      if rest === entry { continue }
      // Refused if the module has sealed or closed the injector. Then nothing of it can change any more.
      try? reportingRefusal(entry.key, candidate: nil) { () throws(Refusal) in
        try registrations.replace(entry.key, by: rest, ignoringSeal: false)
      }
    }
    try? state(of: InstalledModules.self).update(for: self) { $0.remove(ObjectIdentifier(module)) }
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
  private var known: Set<ObjectIdentifier>

  init(injector: Injector, location: CodeLocation, installed: Set<ObjectIdentifier>) {
    (self.injector, self.location) = (injector, location)
    known = installed
  }

  mutating func add(
    _ module: any InjectorModule.Type, requiredBy way: [any InjectorModule.Type]
  ) throws(InjectorError) {
    if known.contains(ObjectIdentifier(module)) { return }
    if let start = way.firstIndex(where: { $0 == module }) {
      throw .circularDependency(
        InjectorError.Facts(module: module, at: location, in: injector),
        path: (way[start...] + [module]).map { typeName($0) })
    }
    for required in module.requires { try add(required, requiredBy: way + [module]) }
    known.insert(ObjectIdentifier(module))
    modules.append(module)
  }
}
