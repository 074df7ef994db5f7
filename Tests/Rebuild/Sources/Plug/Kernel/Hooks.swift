public import Synchronization

/// What a layer sees and changes of the requests of an injector and of the scopes in it. Each method has a default that
/// does nothing, and an injector without hooks pays nothing.
package protocol Hooks: AnyObject, Sendable {
  /// A request has found a cell, or nothing, and may be given another. The hooks of outer injectors come first. For
  /// decorators of scopes, recording, tracing, and copies that are made when they are reached.
  ///
  /// - Parameters:
  ///   - injector: The injector that was asked.
  ///   - level: The injector that has the hook.
  func answer(_ cell: Cell?, for key: Key, in injector: Injector, at level: Injector) throws(InjectorError) -> Cell?

  /// Whether a candidate is chosen or passed over whatever its rule says. For switches and overrides.
  func verdict(on candidate: Registration, in injector: Injector) -> Verdict

  /// What is known of the dependencies of a registration; `nil` if no more than without the hook.
  func knowledge(of registration: Registration) -> Knowledge?

  /// What there is to say of a candidate in an explanation.
  func notes(on candidate: Registration, in injector: Injector) -> [String]

  /// A candidate was chosen, or none. For exposures.
  func chose(_ candidate: Registration?, of key: Key, for context: ContextReference, in injector: Injector)

  /// A candidate could not be made. Returns whether the next one is tried. For failure policies.
  func shouldPass(_ candidate: Registration, after error: InjectorError, in injector: Injector) -> Bool

  /// Something happened that no request is waiting for. For tracing.
  func note(_ event: KernelEvent, in injector: Injector)
}

package enum Verdict: Sendable { case asItsRuleSays, forced, disabled }

package enum KernelEvent: Sendable {
  case closingFailed(Registration, InjectorError)
  case closed(Registration)
}

extension Hooks {
  package func answer(
    _ cell: Cell?, for key: Key, in injector: Injector, at level: Injector
  ) throws(InjectorError) -> Cell? { cell }
  package func verdict(on candidate: Registration, in injector: Injector) -> Verdict { .asItsRuleSays }
  package func knowledge(of registration: Registration) -> Knowledge? { nil }
  package func notes(on candidate: Registration, in injector: Injector) -> [String] { [] }
  package func chose(_ candidate: Registration?, of key: Key, for context: ContextReference, in injector: Injector) {}
  package func shouldPass(_ candidate: Registration, after error: InjectorError, in injector: Injector) -> Bool {
    false
  }
  package func note(_ event: KernelEvent, in injector: Injector) {}
}

/// Which injectors answer in place of others, for isolated tests and previews.
package protocol Redirection: AnyObject, Sendable {
  /// Tells the injectors that were made under it from others.
  var number: UInt { get }

  /// Whether it lasts as long as what is made under it.
  var isHeld: Bool { get }

  /// Whether it began under the one with a number, or has that.
  func isInside(_ number: UInt) -> Bool

  func copy(of injector: Injector) -> Injector

  /// The initializer of a global changes an injector itself, which may have a copy already.
  func noteSetUp(of injector: Injector)

  /// What stands for an object that keeps instances itself.
  func isolated<Object: AnyObject & Sendable>(_ object: Object, _ make: () -> Object) -> Object

  /// What sees the choices that are made under it.
  var watch: (any Hooks)? { get }

  func find(_ environment: Environment) -> Injector
  func claim(_ environment: Environment, for injector: Injector)

  /// Changes what has a name here, under a lock; what `body` adds to the array is released outside of it.
  func change(_ environment: Environment, _ body: (inout NameClaims, inout [Injector]) -> Void)
}

/// What a copy of an injector has too.
package protocol CopiedAttachment: AnyObject, Sendable {
  /// The attachment for a copy of its injector.
  func copy(for injector: Injector) -> Self
}

/// An attachment that ends with its injector.
package protocol EndingAttachment: AnyObject, Sendable {
  /// Whether an injector that takes the place of this one lacks nothing.
  var isIdle: Bool { get }

  /// The injector has been closed, or goes. Called once or more, without a lock.
  func end()

  /// The test has ended that the injector is a copy for. Values stay for code that outlives it.
  func endObserving()
}

/// What layers have put in the way of requests.
@usableFromInline
package enum Layers {
  private struct Known {
    var sealed: [WeakTable] = []
    var limit = 16
  }

  /// Refers to a table and not to its injector, because an object that is referred to weakly is retained more slowly.
  private struct WeakTable { weak var table: SealedTable? }

  private static let known = Guarded(Known())
  private static let hooked = Atomic<Int>(0)
  @usableFromInline static let redirecting = Atomic<Int>(0)

  /// The hooks of one injector, in the order in which they were installed.
  fileprivate final class Installed: Sendable {
    let hooks: [any Hooks]
    init(_ hooks: [any Hooks]) { self.hooks = hooks }
  }

  /// Adds hooks to an injector.
  package static func install(_ hooks: any Hooks, in injector: Injector) {
    hooked.add(1, ordering: .relaxed)
    injector.updateAttachment(Installed.self) { Installed(($0?.hooks ?? []) + [hooks]) }
    injector.state.withLock { $0.sealed }?.hide(true, .hooks)
    injector.shortWay.open(nil)
  }

  /// Removes hooks from an injector.
  package static func remove(_ hooks: any Hooks, from injector: Injector) {
    var isLast = false
    injector.updateAttachment(Installed.self) { installed in
      let rest = (installed?.hooks ?? []).filter { $0 !== hooks }
      if rest.count < installed?.hooks.count ?? 0 { hooked.subtract(1, ordering: .relaxed) }
      isLast = rest.isEmpty
      return isLast ? nil : Installed(rest)
    }
    guard isLast, let table = injector.state.withLock({ $0.sealed }) else { return }
    table.hide(false, .hooks)
    if !injector.isScope { injector.shortWay.open(table) }
  }

  /// The hooks of an injector and of those around it, with the injectors that have them; the outermost first.
  @inline(__always)
  static func hooks(of injector: Injector) -> [(hook: any Hooks, level: Injector)] {
    areHooked ? findHooks(of: injector) : []
  }

  /// What sees a choice: the hooks, and what watches the test.
  static func tell(_ injector: Injector, _ body: (any Hooks) -> Void) {
    for (hook, _) in hooks(of: injector) { body(hook) }
    if isRedirecting, let watch = redirection?.watch { body(watch) }
  }

  /// Whether any injector has hooks.
  @inline(__always)
  static var areHooked: Bool { hooked.load(ordering: .relaxed) != 0 }

  @inline(never)
  private static func findHooks(of injector: Injector) -> [(hook: any Hooks, level: Injector)] {
    Array(injector.levels).reversed().flatMap { level in
      (level.attachment(Installed.self)?.hooks ?? []).map { (hook: $0, level: level) }
    }
  }

  /// An injector with hooks has gone.
  static func forget(_ count: Int) { hooked.subtract(count, ordering: .relaxed) }

  /// How many hooks an injector has.
  static func count(in attachments: [(key: ObjectIdentifier, object: any AnyObject & Sendable)]) -> Int {
    attachments.lazy.compactMap { ($0.object as? Installed)?.hooks.count }.first ?? 0
  }

  /// While anything redirects requests, each looks whether it is redirected.
  static func beginRedirecting() {
    known.withLock { known in
      if redirecting.add(1, ordering: .releasing).oldValue > 0 { return }
      for one in known.sealed { one.table?.hide(true, .isolation) }
    }
  }

  static func endRedirecting() {
    known.withLock { known in
      if redirecting.subtract(1, ordering: .releasing).newValue > 0 { return }
      for one in known.sealed { one.table?.hide(false, .isolation) }
    }
  }

  @inlinable
  @inline(__always)
  static var isRedirecting: Bool { redirecting.load(ordering: .acquiring) != 0 }

  private struct Inheritance {
    var redirection: (any Redirection)?
  }

  @TaskLocal private static var inheritance = Inheritance()

  /// What redirects the requests of the calling task or thread.
  static var redirection: (any Redirection)? { isRedirecting ? inheritance.redirection : nil }

  /// The number for injectors that are made here; 0 outside of a test, and in the initializer of a global.
  static var sandbox: UInt {
    guard let redirection, !StaticInitialization.isRunning else { return 0 }
    return redirection.number
  }

  static func withRedirection<Result>(_ redirection: any Redirection, _ body: () throws -> Result) rethrows -> Result {
    try $inheritance.withValue(Inheritance(redirection: redirection), operation: body)
  }

  static func withRedirection<Result>(
    _ redirection: any Redirection, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await $inheritance.withValue(Inheritance(redirection: redirection), operation: body)
  }

  /// What stands for an object in the calling test; `nil` outside of one.
  package static func isolated<Object: AnyObject & Sendable>(_ object: Object, _ make: () -> Object) -> Object? {
    redirection?.isolated(object, make)
  }

  static func redirect(_ injector: Injector) -> Injector? {
    guard let copy = redirection?.copy(of: injector), copy !== injector else { return nil }
    return copy
  }

  /// The requests that a table answers may have to take the long way later.
  static func enlist(_ table: SealedTable) {
    known.withLock { known in
      if known.sealed.count >= known.limit {
        known.sealed.removeAll { $0.table == nil }
        known.limit = max(16, known.sealed.count * 2)
      }
      known.sealed.append(WeakTable(table: table))
      if isRedirecting { table.hide(true, .isolation) }
    }
  }
}

extension Injector {
  /// What a layer keeps in an injector: an object for a type of its own, until the injector goes.
  ///
  /// Soundness: what is kept by a type is of that type. A dynamic cast would take longer than all the rest.
  @inlinable
  package func attachment<Object: AnyObject & Sendable>(_ type: Object.Type) -> Object? {
    guard let found = attachment(ObjectIdentifier(type)) else { return nil }
    return unsafe unsafeDowncast(found, to: type)
  }

  @usableFromInline
  func attachment(_ key: ObjectIdentifier) -> (any AnyObject & Sendable)? {
    state.withLock { state in
      for place in state.attachments.indices where state.attachments[place].key == key {
        return state.attachments[place].object
      }
      return nil
    }
  }

  /// Replaces an attachment. `change` runs again if another thread has replaced it meanwhile.
  @discardableResult
  package func updateAttachment<Object: AnyObject & Sendable>(
    _ type: Object.Type, _ change: (Object?) -> Object?
  ) -> Object? {
    let key = ObjectIdentifier(type)
    while true {
      let old = attachment(type)
      let new = change(old)
      if new === old { return new }
      let isReplaced = state.withLock { state in
        let index = state.attachments.firstIndex { $0.key == key }
        guard index.map({ state.attachments[$0].object as AnyObject }) === old as AnyObject? else { return false }
        if let index { state.attachments.remove(at: index) }
        if let new { state.attachments.append((key, new)) }
        return true
      }
      if isReplaced { return new }  // `old` is released here, outside of the lock.
    }
  }

  /// Takes over those attachments of another injector, and those of its hooks, that copies have.
  func copyAttachments(_ attachments: [(key: ObjectIdentifier, object: any AnyObject & Sendable)]) {
    for (key, object) in attachments {
      guard let copy = (object as? any CopiedAttachment)?.copy(for: self) else { continue }
      let isNew = state.withLock { state in
        if state.attachments.contains(where: { $0.key == key }) { return false }
        state.attachments.append((key, copy))
        return true
      }
      if !isNew { continue }
      let isHook = attachments.contains { ($0.object as? Layers.Installed)?.hooks.contains { $0 === object } ?? false }
      if isHook, let hooks = copy as? any Hooks { Layers.install(hooks, in: self) }
    }
  }

  /// Everything that is registered here.
  package var cells: [Cell] { state.withLock { $0.cells } }
}
