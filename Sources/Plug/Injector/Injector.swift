import Synchronization

/// A registry of services: which implementation, for whom, right now?
///
/// ```swift
/// let services = Injector("services")
/// try services.register(as: Networking.self, injectable: .lazySingleton { HTTPNetworking() })
/// let network = try services.get(Networking.self)
/// ```
///
/// A service is any `Sendable` type, normally a protocol; a ``Tag`` tells two of one type apart. What is registered for
/// it is one ``Injection``, or several candidates among which rules choose, see ``PluginPoint``.
///
/// An injector may be used from any thread. No lock is held while a factory, a rule or a configuration runs, and
/// getting an instance that exists takes none. ``seal()`` fixes the registrations.
///
/// A factory that needs other services should ask the injector that it is handed; one that captures its own injector
/// keeps it alive for ever.
public final class Injector: Sendable {
  /// The name under which the injector is found; `nil` if it has none.
  public let name: Name?

  /// Whether a service may be registered again, so that the later registration replaces the earlier.
  public let allowRewrite: Bool

  /// The injector in which this one was opened as a scope; `nil` if it is none.
  public let parent: Injector?

  @usableFromInline let registrations: Registrations
  let instanceStore = Guarded(InstanceStore())
  let tracing = Guarded<Tracer?>(nil)

  private let scopeName: String?

  /// Tells it from every other, also from one that lies at the same address later.
  let identity: Identity

  /// The numbers of the loads that a scope was opened in.
  let openingLoads: [UInt]

  /// The number of the sandbox that it belongs to; 0 if that is none.
  let sandboxID: UInt

  /// Whether a static initializer may still be setting it up that an isolated test has been the first to reach.
  let isBeingSetUp: Atomic<Bool>

  /// Who has created it, where that is outside of isolation in a program that runs tests.
  let creator: TaskOrThread?

  /// Where and when an injector was created.
  struct Identity: Hashable, Sendable {
    let thread: UInt
    let moment: UInt
  }

  /// The injector that is used where none is named.
  public static let `default` = Name.default.environment.findOutside()

  private static let isTested = isTestProcess

  /// Creates an empty injector.
  ///
  /// - Parameters:
  ///   - name: A name for diagnostics. If no other injector that is alive has it, it makes this one an environment, found
  ///     by `Injector[name]` for as long as it lives.
  ///   - allowRewrite: Whether a service may be registered again. If not, that throws.
  public init(_ name: Name? = nil, allowRewrite: Bool = false) {
    self.name = name
    self.allowRewrite = allowRewrite
    (parent, scopeName, openingLoads) = (nil, nil, [])
    identity = ThreadContext.current.makeIdentity()
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
    (parent, scopeName, openingLoads) = (nil, nil, [])
    identity = ThreadContext.current.makeIdentity()
    registrations = Registrations()
    (self.sandboxID, creator) = (sandboxID, nil)
    isBeingSetUp = Atomic(false)
  }

  /// Creates an injector of the library's own, which counts as a scope so deep.
  init(depth: Int32) {
    name = nil
    allowRewrite = false
    (parent, scopeName, openingLoads) = (nil, nil, [])
    identity = ThreadContext.current.makeIdentity()
    registrations = Registrations(depth: depth)
    (sandboxID, creator) = (0, nil)
    isBeingSetUp = Atomic(false)
  }

  /// Creates a private copy of an injector.
  ///
  /// - Parameter parent: The copy of what the injector is a scope of.
  init(copying original: Injector, scopeOf parent: Injector?, sandboxID: UInt) {
    name = original.name
    allowRewrite = original.allowRewrite
    scopeName = original.scopeName
    self.parent = parent
    (identity, openingLoads) = (ThreadContext.current.makeIdentity(), [])
    registrations = Registrations(copying: original.registrations, parent: parent?.registrations)
    (self.sandboxID, creator) = (sandboxID, nil)
    isBeingSetUp = Atomic(false)
  }

  /// Creates a scope.
  init(scope name: String, of parent: Injector) {
    self.name = nil
    allowRewrite = parent.allowRewrite
    self.parent = parent
    scopeName = name
    identity = ThreadContext.current.makeIdentity()
    openingLoads = LoadContext.current?.numbers ?? []
    registrations = Registrations(parent: parent.registrations)
    (sandboxID, creator) = (parent.sandboxID, nil)
    isBeingSetUp = Atomic(false)
  }

  deinit {
    if sandboxID == 0 { name?.environment.release(ObjectIdentifier(self)) }
    if instanceStore.withLock({ !$0.kept.isEmpty }) {
      // Nobody can wait for it any more.
      if let rest = giveUpAll() { Task { _ = await rest.run(Deadline()) } }
    }
    if tracing.withLock({ $0 }) != nil { Instrumentation.shared.end() }
  }

  /// How many injectors this one is a scope of, one inside of the other.
  var depth: Int32 { registrations.depth }

  /// When a scope was opened on a thread; 0 if that was elsewhere, or nobody knows.
  func moment(on context: ThreadContext) -> UInt {
    identity.thread == context.number && registrations.original == nil ? identity.moment : 0
  }

  /// The name, for a scope after those of the injectors that it was opened in.
  var path: String? { InjectorError.Facts.Place(self).path }

  /// The names on the way from the outermost injector to this one, of those that have any.
  var names: [String] {
    sequence(first: self, next: \.parent).compactMap { $0.scopeName ?? $0.name?.rawValue }.reversed()
  }
}

extension Injector: CustomStringConvertible {
  /// The name, as in `Injector("services")`.
  public var description: String { path.map { "Injector(\"\($0)\")" } ?? "Injector()" }
}
