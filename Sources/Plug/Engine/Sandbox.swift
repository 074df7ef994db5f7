import Synchronization

/// What an isolated test has in place of everything it reaches: private copies, made when they are reached.
///
/// Soundness of the casts: what stands in for an object is stored under the identity of that, and made with its type.
@safe
package final class Sandbox: Sendable {
  private struct State {
    var copies: [ObjectIdentifier: Copy] = [:]
    /// The copies in the order in which they were made.
    var order: [Injector] = []
    var environments: [ObjectIdentifier: LocalEnvironment] = [:]
    /// What stands in for properties, lazies and points that live outside of an injector.
    var standIns: [ObjectIdentifier: any AnyObject & Sendable] = [:]
    var registries: RegistryState?
    var isClosed = false
  }

  /// A copy, and what it was made for: that stays, so that no other object can have its identity.
  private struct Copy {
    let original: Injector
    let copy: Injector
  }

  /// What a name stands for here.
  private struct LocalEnvironment {
    let environment: Environment
    weak var injector: Injector?
    /// Keeps an injector that was made by a look-up.
    var owned: Injector?
  }

  /// Tells it from every other; 0 is none.
  let number: UInt
  private let outer: Sandbox?
  private let state = Guarded(State())

  /// What has been chosen here.
  package let selections = SelectionLog()

  /// Receives the places where something real has been reached from outside of every isolation, if that is forbidden.
  fileprivate let onEscape: (@Sendable (Escape) -> Void)?

  private static let last = Atomic<UInt>(0)
  private static let active = Guarded<[Sandbox]>([])

  fileprivate init(inside outer: Sandbox?, onEscape: (@Sendable (Escape) -> Void)?) {
    number = Self.last.add(1, ordering: .relaxed).newValue
    self.outer = outer
    self.onEscape = onEscape
    Attention.shared.begin()
    Self.active.withLock { $0.append(self) }
  }

  /// The sandbox of the calling task.
  static var current: Sandbox? { Lease.current?.sandbox }

  /// Holds a sandbox for as long as a task may use it, and then closes it.
  package final class Lease: Sendable {
    @TaskLocal package static var current: Lease?

    package let sandbox: Sandbox
    private let isFirst: Bool

    /// Makes a sandbox inside of the calling task's.
    package init(onEscape: (@Sendable (Escape) -> Void)? = nil) {
      sandbox = Sandbox(inside: Sandbox.current, onEscape: onEscape)
      isFirst = true
    }

    private init(closing sandbox: Sandbox) {
      self.sandbox = sandbox
      isFirst = false
    }

    deinit {
      if isFirst { Self.$current.withValue(Lease(closing: sandbox)) { sandbox.close() } }
    }
  }

  /// The copy of an injector, or itself if it belongs here.
  func copy(of injector: Injector) -> Injector {
    if injector.home == number { return injector }
    if let known = state.withLock({ $0.copies[ObjectIdentifier(injector)]?.copy }) { return known }
    let base = outer?.copy(of: injector) ?? injector
    let fresh = Injector(copying: base, scopeOf: injector.parent.map(copy(of:)), home: number)
    return state.withLock { state in
      if let first = state.copies[ObjectIdentifier(injector)]?.copy { return first }
      if !state.isClosed {
        state.copies[ObjectIdentifier(injector)] = Copy(original: injector, copy: fresh)
        state.order.append(fresh)
      }
      return fresh
    }
  }

  /// What stands in for an object, made at the first request.
  func standIn<Original: AnyObject & Sendable>(for original: Original, _ make: () -> Original) -> Original {
    let known = standIn(ObjectIdentifier(original), or: nil)
    let present = known ?? standIn(ObjectIdentifier(original), or: make())
    return present.map { unsafe unsafeDowncast($0, to: Original.self) } ?? original
  }

  private func standIn(_ original: ObjectIdentifier, or fresh: (any AnyObject & Sendable)?) -> (any AnyObject & Sendable)? {
    state.withLock { state in
      let present = state.standIns[original] ?? fresh
      state.standIns[original] = present
      return present
    }
  }

  /// What is known of the registries here; at first the same as outside.
  var registries: RegistryState {
    let fresh = RegistryState(copying: outer?.registries ?? Registries.outside)
    return state.withLock { state in
      let present = state.registries ?? fresh
      state.registries = present
      return present
    }
  }

  /// The copies, in the order in which they were made.
  package var copies: [Injector] { state.withLock { $0.order } }

  /// Forgets what stands in for an object that is going.
  static func forget(_ original: ObjectIdentifier) {
    for sandbox in active.withLock({ $0 }) {
      let standIn = sandbox.state.withLock { $0.standIns.removeValue(forKey: original) }
      withExtendedLifetime(standIn) {}
    }
  }

  /// Gives up everything, the last copy first.
  private func close() {
    while let copy = state.withLock({ $0.order.popLast() }) { copy.giveUpAll() }
    let rest = state.withLock { state in
      let rest = state
      state = State()
      state.isClosed = true
      return rest
    }
    withExtendedLifetime(rest) {}
    Self.active.withLock { active in active.removeAll { $0 === self } }
    Attention.shared.end()
  }
}

extension Sandbox {
  /// The injector that a name finds here; one is made if there is none.
  func find(_ environment: Environment) -> Injector {
    if let present = present(environment) { return present }
    let fresh = Injector(environment: environment, home: number)
    return state.withLock { state in
      if let first = state.environments[ObjectIdentifier(environment)]?.injector { return first }
      state.environments[ObjectIdentifier(environment)] = LocalEnvironment(
        environment: environment, injector: fresh, owned: fresh)
      return fresh
    }
  }

  private func present(_ environment: Environment) -> Injector? {
    let own = state.withLock { $0.environments[ObjectIdentifier(environment)]?.injector }
    return own ?? outer?.present(environment) ?? (outer == nil ? environment.present : nil)
  }

  /// Makes an injector what a name finds here, unless another is it already that has been created or has registrations.
  func claim(_ environment: Environment, for injector: Injector) {
    if let present = present(environment), !copy(of: present).registrations.isEmpty { return }
    let old = state.withLock { state in
      state.environments.updateValue(
        LocalEnvironment(environment: environment, injector: injector), forKey: ObjectIdentifier(environment))
    }
    withExtendedLifetime(old) {}
  }
}

/// A use of something real, from outside of every isolation, while a test runs that forbids it.
package struct Escape: Sendable {
  /// What was used: `Injector("services")`.
  package let injector: String

  /// Where; `nil` if that is not known.
  package let location: CodeLocation?
}

extension Sandbox {
  /// Where an injector belongs that is being created: to the calling task's sandbox, unless a static initializer does it.
  static func origin(of registrations: Registrations) -> (home: UInt, setUp: StaticInitialization?) {
    guard registrations.attention.isDemanded, let current else { return (0, nil) }
    let setUp = StaticInitialization.current
    return (setUp == nil ? current.number : 0, setUp)
  }
}

extension Injector {
  /// The injector that answers for this one: its private copy while the calling task is isolated, else itself.
  @inlinable
  func isolated(_ fileID: StaticString = "", _ line: UInt = 0) -> Injector {
    registrations.attention.isDemanded ? privateCopy(fileID, line) : self
  }

  @usableFromInline
  func privateCopy(_ fileID: StaticString, _ line: UInt) -> Injector {
    guard let sandbox = Sandbox.current else {
      if home == 0 { Sandbox.reportEscape(to: self, fileID, line) }
      return self
    }
    return setUp?.isRunning == true ? self : sandbox.copy(of: self)
  }
}

extension Injector {
  /// Whether only the isolated test sees the injector that the calling task is in: then what is sealed may change too.
  ///
  /// Soundness: reading what is sealed is unprotected only where nobody demands attention, and the test does.
  var isPrivate: Bool { home != 0 && Sandbox.current?.number == home }
}

extension Sandbox {
  fileprivate static func reportEscape(to injector: Injector, _ fileID: StaticString, _ line: UInt) {
    let strict = active.withLock { $0.compactMap(\.onEscape) }
    guard !strict.isEmpty else { return }
    let location = fileID.isEmpty ? nil : CodeLocation(fileID: "\(fileID)", line: Int(line))
    for receive in strict { receive(Escape(injector: injector.description, location: location)) }
  }
}

extension StaticString {
  fileprivate var isEmpty: Bool { hasPointerRepresentation && utf8CodeUnitCount == 0 }
}
