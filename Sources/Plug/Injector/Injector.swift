import Synchronization

/// A registry of services that answers one question: which implementation, for whom, right now?
///
/// Register each service once, usually at launch, and request it by its type:
///
/// ```swift
/// let services = Injector("services")
/// try services.register(
///   as: Networking.self, injectable: .lazySingleton { HTTPNetworking() })
/// let network = try services.get(Networking.self)
/// ```
///
/// A service is any `Sendable` type, usually a protocol. A ``Tag`` distinguishes several services of one type. Each
/// service has one ``Injection``, or several candidates that rules select from; see ``PluginPoint``.
///
/// An injector can be used from any thread. A lazy singleton is made exactly once, however many threads request it. No
/// lock is held while a factory, a rule or a configuration runs, and getting an existing instance takes none.
///
/// ``seal(_:)`` validates the registrations and fixes them. ``makeScope(_:fileID:line:configure:)`` creates an injector
/// that inherits everything and has instances of its own. ``close(timeout:clock:)`` closes them in reverse order of
/// construction, and releases them.
///
/// - Important: A factory that needs other services should request them from the injector it is passed. A factory that
///   captures its own injector forms a reference cycle with it, so that neither is ever released.
public final class Injector: Sendable {
  /// The name code can find the injector by; `nil` if it has none, as scopes do.
  public let name: Name?

  /// Whether a service may be registered again, so that the later registration replaces the earlier one.
  ///
  /// Scopes inherit the setting.
  public let allowRewrite: Bool

  /// The injector this one is a scope of; `nil` if it is not a scope.
  public var parent: Injector? { registrations.enclosing }

  @usableFromInline let registrations: Registrations
  let instanceStore = Guarded(InstanceStore())
  let listeners = ReadMostly<Listeners>()

  private let scopeName: String?

  /// Distinguishes the injector from every other one, also from one that is allocated at the same address later.
  let identity: Identity

  /// The numbers of the loads during which a scope was opened.
  let openingLoads: [UInt]

  /// The number of the sandbox the injector belongs to; 0 if it belongs to none.
  let sandboxID: UInt

  /// Whether a static initializer may still be registering in the injector, because an isolated test reached it first.
  let isBeingSetUp: Atomic<Bool>

  /// The task or thread that created the injector outside of any isolation, in a program that runs tests.
  let creator: TaskOrThread?

  /// The thread that created an injector, and that thread's count of injectors at the time.
  struct Identity: Hashable, Sendable {
    let thread: UInt
    let moment: UInt
  }

  /// The injector used where no other is specified, for example by `@Injected` without a name, or by a point that is
  /// used by itself.
  ///
  /// It exists for as long as the program runs. Libraries should create their own injector instead.
  public static let `default` = Name.default.environment.findOutside()

  private static let isTested = isTestProcess

  /// Creates an empty injector.
  ///
  /// ```swift
  /// let services = Injector("services")  // found by Injector["services"]
  /// let local = Injector()               // not found by name
  /// ```
  ///
  /// - Parameters:
  ///   - name: A name for diagnostics. Unless another injector alive has the name, this one becomes its environment,
  ///     which `Injector[name]` returns for as long as the injector lives.
  ///   - allowRewrite: Whether a service may be registered again. If `false`, registering it again throws
  ///     ``InjectorError/alreadyRegistered(_:)``.
  public init(_ name: Name? = nil, allowRewrite: Bool = false) {
    let name = name == .current ? nil : name
    self.name = name
    self.allowRewrite = allowRewrite
    (scopeName, openingLoads) = (nil, [])
    identity = ThreadContext.makeIdentity()
    registrations = Registrations()
    let (sandboxID, isBeingSetUp) = Self.origin(with: registrations)
    self.sandboxID = sandboxID
    self.isBeingSetUp = Atomic(isBeingSetUp)
    creator = Injector.isTested ? .current : nil
    if let name, name != .default { name.environment.claim(for: self) }
  }

  /// Creates the injector of an environment that has none.
  init(environment: Environment, sandboxID: UInt = 0) {
    name = Name(environment)
    allowRewrite = false
    (scopeName, openingLoads) = (nil, [])
    identity = ThreadContext.makeIdentity()
    registrations = Registrations()
    (self.sandboxID, creator) = (sandboxID, nil)
    isBeingSetUp = Atomic(false)
  }

  /// Creates an injector for the library's own use, which counts as a scope at the given depth.
  init(depth: Int32) {
    name = nil
    allowRewrite = false
    (scopeName, openingLoads) = (nil, [])
    identity = ThreadContext.makeIdentity()
    registrations = Registrations(depth: depth)
    (sandboxID, creator) = (0, nil)
    isBeingSetUp = Atomic(false)
  }

  /// Creates a private copy of an injector.
  ///
  /// - Parameters:
  ///   - parent: The copy of the injector the original is a scope of.
  ///   - isTrial: Whether it can be changed, whatever the original allows.
  init(copying original: Injector, scopeOf parent: Injector?, sandboxID: UInt, isTrial: Bool = false) {
    name = original.name
    allowRewrite = original.allowRewrite || isTrial
    scopeName = original.scopeName
    (identity, openingLoads) = (ThreadContext.makeIdentity(), [])
    registrations = Registrations(copying: original.registrations, scopeOf: parent, isUnsealed: isTrial)
    (self.sandboxID, creator) = (sandboxID, nil)
    isBeingSetUp = Atomic(false)
  }

  /// Creates a scope.
  init(scope name: String, of parent: borrowing Injector) {
    self.name = nil
    allowRewrite = parent.allowRewrite
    scopeName = name
    identity = ThreadContext.makeIdentity()
    openingLoads = LoadContext.current?.numbers ?? []
    registrations = Registrations(scopeOf: copy parent)
    (sandboxID, creator) = (parent.sandboxID, nil)
    isBeingSetUp = Atomic(false)
  }

  deinit {
    if sandboxID == 0 { name?.environment.release(ObjectIdentifier(self)) }
    if !registrations.isClosed, instanceStore.withLock({ !$0.cells.keepsNothing }), let rest = giveUpAll() {
      rest.runInTask()
    }
    if isScope, registrations.isTraced { endTracing() }
  }

  @inlinable var isScope: Bool { registrations.isScope }

  /// The number of injectors around this one: 0 for an injector that is not a scope.
  var depth: Int32 { registrations.depth }

  /// The moment a scope was opened on a thread; 0 if it was opened on another one, or if that is unknown.
  func moment(on context: ThreadContext) -> UInt {
    identity.thread == context.number && registrations.original == nil ? identity.moment : 0
  }

  /// The name; for a scope, preceded by the names of the injectors it was opened in.
  var path: String? { isScope ? InjectorError.Facts.Path(self).text : name?.rawValue }

  /// The names on the way from the outermost injector to this one, of those that have any.
  var names: [String] {
    levels.compactMap { $0.scopeName ?? $0.name?.rawValue }.reversed()
  }

  /// This injector and those that it lies in, up to the outermost.
  var levels: UnfoldFirstSequence<Injector> { sequence(first: self, next: \.parent) }
}

extension Injector: CustomStringConvertible {
  /// The injector with its name, such as `Injector("services")`, or `Injector("services/request")` for a scope.
  public var description: String { path.map { "Injector(\"\($0)\")" } ?? "Injector()" }
}
