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

  /// What is decided about candidates, by their places, whatever their rules say. It counts for the whole choice.
  func verdicts(on candidates: CandidateOrdering, in injector: Injector) -> [Int: Verdict]

  /// What there is to say of candidates in an explanation, by their places.
  func notes(on candidates: CandidateOrdering, in injector: Injector) -> [Int: Notes]

  /// What is known of the dependencies of a registration; `nil` if no more than without the hook.
  func knowledge(of registration: Registration) -> Knowledge?

  /// Something happened. No lock is held.
  func note(_ event: KernelEvent, in injector: Injector)

  /// What is told of each instance that an injector closes, which may go before that.
  func closing(in injector: Injector) -> ClosingObserver?
}

package typealias ClosingObserver = @Sendable (Registration, [InjectorError]) -> Void

/// What decides about a candidate.
package enum Verdict: Sendable, Equatable {
  case asItsRuleSays
  /// It comes first. Its rule is not evaluated.
  case forced
  /// It does not apply. Its rule is not evaluated.
  case refused(Explanation.Verdict)
}

/// What a layer says of a candidate: in words, and as values by their names.
package struct Notes: Sendable {
  package var texts: [String]
  package var values: [String: RuleTrace.Value]

  package init(texts: [String], values: [String: RuleTrace.Value]) { (self.texts, self.values) = (texts, values) }
}

package enum KernelEvent {
  /// A request has ended.
  case answered(Request, InjectorError?)
  /// A candidate was chosen, and is about to be made.
  case chosen(Choice)
  /// It could not be made, and the next one takes its place.
  case passed(Choice, InjectorError)
  /// It was made, and is about to be given.
  case given(Choice)
  /// A factory, with what is put around its instance, or a configuration begins to run.
  case running(Registration, isConfiguring: Bool)
  /// It has returned after so much time, or thrown.
  case ran(Registration, isConfiguring: Bool, Duration?)
}

/// What an injector was asked for.
package struct Request: Sendable {
  package let key: Key
  /// Whether it may be absent.
  package var isOptional = false
  /// Whether the context of the choice was given.
  package var givesContext = false

  package init(_ key: Key, isOptional: Bool = false, givesContext: Bool = false) {
    (self.key, self.isOptional, self.givesContext) = (key, isOptional, givesContext)
  }
}

extension Hooks {
  package func answer(
    _ cell: Cell?, for key: Key, in injector: Injector, at level: Injector
  ) throws(InjectorError) -> Cell? { cell }
  package func verdicts(on candidates: CandidateOrdering, in injector: Injector) -> [Int: Verdict] { [:] }
  package func notes(on candidates: CandidateOrdering, in injector: Injector) -> [Int: Notes] { [:] }
  package func knowledge(of registration: Registration) -> Knowledge? { nil }
  package func note(_ event: KernelEvent, in injector: Injector) {}
  package func closing(in injector: Injector) -> ClosingObserver? { nil }
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

  /// Adds hooks to an injector, unless it has them.
  package static func install(_ hooks: any Hooks, in injector: Injector) {
    var isNew = false
    injector.updateAttachment(Installed.self) { installed in
      isNew = installed?.hooks.contains { $0 === hooks } != true
      return isNew ? Installed((installed?.hooks ?? []) + [hooks]) : installed
    }
    if isNew { count(1, in: injector) }
  }

  /// Removes hooks from an injector.
  package static func remove(_ hooks: any Hooks, from injector: Injector) {
    var difference = 0
    injector.updateAttachment(Installed.self) { installed in
      let rest = (installed?.hooks ?? []).filter { $0 !== hooks }
      difference = rest.count - (installed?.hooks.count ?? 0)
      return rest.isEmpty ? nil : Installed(rest)
    }
    if difference != 0 { count(difference, in: injector) }
  }

  /// Counts hooks. A request to a scope may end in the table of an injector around it, so that all of them are hidden.
  private static func count(_ difference: Int, in injector: Injector) {
    hooked.add(difference, ordering: .relaxed)
    for level in injector.levels {
      level.state.withLock { state in
        state.hooks += difference
        state.sealed?.hide(state.hooks > 0, .hooks)
      }
    }
  }

  /// Tells all hooks of an injector and of those around it, the innermost first, what has happened.
  package static func note(_ event: @autoclosure () -> KernelEvent, in injector: Injector) {
    if !areHooked { return }
    let hooks = injector.levels.flatMap { $0.attachment(Installed.self)?.hooks ?? [] }
    if hooks.isEmpty { return }
    let event = event()
    for hook in hooks { hook.note(event, in: injector) }
  }

  /// Runs a factory or a configuration, and tells hooks when that begins and ends.
  @inline(__always)
  static func running<Result, Failure: Error>(
    _ registration: Registration, for injector: Injector, isConfiguring: Bool = false,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    areHooked ? try runningSlowly(registration, for: injector, isConfiguring, body) : try body()
  }

  @inline(never)
  private static func runningSlowly<Result, Failure: Error>(
    _ registration: Registration, for injector: Injector, _ isConfiguring: Bool, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    note(.running(registration, isConfiguring: isConfiguring), in: injector)
    let start = ContinuousClock.now
    do throws(Failure) {
      let result = try body()
      note(.ran(registration, isConfiguring: isConfiguring, ContinuousClock.now - start), in: injector)
      return result
    } catch {
      note(.ran(registration, isConfiguring: isConfiguring, nil), in: injector)
      throw error
    }
  }

  /// Answers a request, and tells hooks when that has ended.
  @inline(__always)
  package static func answering<Result>(
    _ request: Request, by injector: Injector, _ answer: () throws(InjectorError) -> Result
  ) throws(InjectorError) -> Result {
    areHooked ? try answeringSlowly(request, by: injector, answer) : try answer()
  }

  @inline(never)
  private static func answeringSlowly<Result>(
    _ request: Request, by injector: Injector, _ answer: () throws(InjectorError) -> Result
  ) throws(InjectorError) -> Result {
    do throws(InjectorError) {
      let result = try answer()
      note(.answered(request, nil), in: injector)
      return result
    } catch {
      // What has to be loaded first is asked for again.
      if !error.isRetried || Level.current.with({ $0.own.round }) == nil {
        note(.answered(request, error), in: injector)
      }
      throw error
    }
  }

  /// The hooks of an injector and of those around it, with the injectors that have them; the outermost first.
  @inline(__always)
  static func hooks(of injector: Injector) -> [(hook: any Hooks, level: Injector)] {
    areHooked ? findHooks(of: injector) : []
  }

  /// What sees the choices of the calling test.
  static var watch: (any Hooks)? { isRedirecting ? redirection?.watch : nil }

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
  static func forget(
    _ attachments: [(key: ObjectIdentifier, object: any AnyObject & Sendable)], of injector: Injector
  ) {
    let installed = attachments.lazy.compactMap { ($0.object as? Installed)?.hooks.count }.first ?? 0
    if installed > 0 { count(-installed, in: injector) }
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
