import Synchronization

/// What an isolated test has in place of the injectors it reaches: private copies, made when they are reached.
///
/// When the test ends, what it has made is given up. If tasks go on that have inherited the sandbox, they see copies
/// that begin anew, with what the test has registered, until the last of them ends.
package final class Sandbox: Sendable {
  /// What a task has. It is a structure, which is copied by code of its own: an optional takes twice as many steps.
  private struct Inheritance {
    var sandbox: Sandbox?
  }

  @TaskLocal private static var inheritance = Inheritance()

  /// The sandbox of the calling code.
  package static var current: Sandbox? { inheritance.sandbox ?? ThreadContext.current.endingSandbox }

  /// Whether its copies can be changed, whatever their originals allow.
  private let isTrial: Bool

  /// Whether it goes on when the code that began it has ended, as long as anyone has it.
  let isPreview: Bool

  /// Tells it from every other; 0 is none.
  let number: UInt
  let outer: Sandbox?
  let state: Guarded<SandboxState>

  /// What has been chosen here.
  package let selections = SelectionLog()

  /// Who began the test, if that is strict.
  private let creator: TaskOrThread?

  private static let lastNumber = Atomic<UInt>(0)

  /// Makes a sandbox inside of the calling task's.
  private init(onEscape: (@Sendable (() -> Escape) -> Void)? = nil, isTrial: Bool = false, isPreview: Bool = false) {
    (self.isTrial, self.isPreview) = (isTrial, isPreview)
    number = Self.lastNumber.add(1, ordering: .relaxed).newValue
    // Whoever is in a sandbox has it, and so it is alive.
    outer = Instrumentation.shared.isActive ? Self.current : nil
    state = Guarded(SandboxState(isolatedObjects: onEscape.map(IsolatedObjects.init)))
    creator = onEscape == nil ? nil : .current
    Instrumentation.shared.begin()
  }

  /// Takes over what another has that goes.
  private init(inheriting state: SandboxState, of number: UInt, _ outer: Sandbox?) {
    (isTrial, isPreview) = (false, false)
    self.number = number
    self.outer = outer
    self.state = Guarded(state)
    creator = nil
    Instrumentation.shared.begin()
  }

  deinit {
    if let rest = state.withLock({ $0.isEmpty ? nil : $0.take() }) {
      // Giving up runs code of others, which must find a sandbox; this one can be nobody's any more.
      var heir = Sandbox(inheriting: rest, of: number, outer)
      Self.finish(&heir)
      rest.isolatedObjects?.end()
    }
    Instrumentation.shared.end()
  }

  /// Runs a test.
  ///
  /// - Parameter onEscape: Receives the uses of what is real, from outside of every isolation, if these are forbidden.
  package static func run<Result>(
    onEscape: (@Sendable (() -> Escape) -> Void)? = nil, _ test: (Sandbox) throws -> Result
  ) rethrows -> Result {
    var sandbox = Sandbox(onEscape: onEscape)
    defer { finish(&sandbox) }
    return try sandbox.enter { try test(sandbox) }
  }

  /// Makes a value for which there are copies that allow changes.
  static func preview<Value>(_ make: () throws -> Value) rethrows -> Value {
    try Sandbox(isTrial: true, isPreview: true).enter(make)
  }

  /// Makes such a value asynchronously.
  static func preview<Value>(_ make: () async throws -> Value) async rethrows -> Value {
    try await Sandbox(isTrial: true, isPreview: true).run(make)
  }

  /// Whether this is the sandbox with a number, or lies in it.
  func isInside(_ number: UInt) -> Bool { self.number == number || outer?.isInside(number) == true }

  /// Tries a change of copies that allow it.
  static func trying<Result>(_ change: (Sandbox) throws -> Result) rethrows -> Result {
    var sandbox = Sandbox(isTrial: true)
    defer { finish(&sandbox) }
    return try sandbox.enter { try change(sandbox) }
  }

  /// Runs an asynchronous test, and waits for what has to be closed asynchronously.
  package static func run<Result>(
    onEscape: (@Sendable (() -> Escape) -> Void)? = nil, _ test: (Sandbox) async throws -> Result
  ) async rethrows -> Result {
    var sandbox = Sandbox(onEscape: onEscape)
    do {
      let result = try await $inheritance.withValue(Inheritance(sandbox: sandbox)) { try await test(sandbox) }
      await finish(&sandbox)
      return result
    } catch {
      await finish(&sandbox)
      throw error
    }
  }

  /// Runs what belongs to the test.
  func run<Result>(_ work: () throws -> Result) rethrows -> Result {
    try Self.$inheritance.withValue(Inheritance(sandbox: self), operation: work)
  }

  /// Answers a request that belongs here.
  func answer<Answer>(_ work: () throws(InjectorError) -> Answer) throws(InjectorError) -> Answer {
    try run { Result(catching: work) }.get()
  }

  /// Runs what begins or ends the test: if a static initializer has begun it, that is no set-up of the program's.
  private func enter<Result>(_ work: () throws -> Result) rethrows -> Result {
    try StaticInitialization.isolating { try run(work) }
  }

  /// Runs what belongs to the test.
  func run<Result>(_ work: () async throws -> Result) async rethrows -> Result {
    try await Self.$inheritance.withValue(Inheritance(sandbox: self), operation: work)
  }

  /// Gives up what the test has made, and then everything, unless a task goes on.
  private static func finish(_ sandbox: inout Sandbox) {
    if releasedAtOnce(&sandbox) { return }
    _ = sandbox.enter { sandbox.startOver() }
    if isKnownUniquelyReferenced(&sandbox) { sandbox.enter { sandbox.close() } }
  }

  /// The same, and waits for what has to be closed asynchronously.
  private static func finish(_ sandbox: inout Sandbox) async {
    if releasedAtOnce(&sandbox) { return }
    let closings = sandbox.run { sandbox.startOver() }
    for closing in closings { _ = await closing.value }
    if isKnownUniquelyReferenced(&sandbox) { sandbox.run { sandbox.close() } }
  }

  /// Releases what a test has that has made no copies.
  private static func releasedAtOnce(_ sandbox: inout Sandbox) -> Bool {
    guard isKnownUniquelyReferenced(&sandbox),
      let rest = sandbox.state.withLock({ $0.hasCopies ? nil : $0.take() })
    else { return false }
    sandbox.release(rest)
    return true
  }

  /// Releases what was handed in; to bind a task-local value for that would cost as much as the rest of a test.
  private func release(_ rest: consuming SandboxState) {
    if rest.isEmpty { return }
    let context = ThreadContext.current
    let outer = context.endingSandbox
    context.endingSandbox = self
    rest.isolatedObjects?.end()
    rest = SandboxState()
    context.endingSandbox = outer
  }

  /// Gives up what the copies have made, the last first, and what is made meanwhile.
  ///
  /// - Returns: The tasks that go on with what cannot be closed at once.
  private func startOver() -> [Task<[InjectorError], Never>] {
    var closings: [Task<[InjectorError], Never>] = []
    var done = 0
    while case let copies = copies, copies.count > done {
      closings += copies[done...].reversed().compactMap { $0.startOver() }
      done = copies.count
    }
    return closings
  }

  private func close() {
    let rest = state.withLock { $0.take() }
    for copy in rest.injectors.reversed() { _ = copy.finish(copy.giveUpAll()) }
    rest.isolatedObjects?.end()
  }

  /// The copy of an injector, or itself if it belongs here.
  func copy(of injector: Injector) -> Injector {
    if injector.sandboxID == number { return injector }
    if let known = state.withLock({ $0.copy(of: injector) }) { return known }
    let placeholder = placeholder(for: injector)
    let base = outer?.copy(of: injector) ?? injector
    let parent = injector.parent.map(copy(of:))
    let (copy, changed) = state.withLock { state -> (Injector, Injector?) in
      if let first = state.copy(of: injector) { return (first, nil) }
      let fresh = Injector(copying: base, scopeOf: parent, sandboxID: number, isTrial: isTrial)
      state.add(fresh, for: injector)
      guard let placeholder else { return (fresh, nil) }
      state.moveOverrides(of: placeholder, to: fresh)
      return (fresh, state.leave(placeholder, in: number))
    }
    if let changed { copy.takeOver(from: changed) }
    return copy
  }

  /// Puts something aside that the copy of an injector will have: a test that asks for no more needs no copy.
  ///
  /// - Returns: `false` if there is more to it.
  func putAside(_ entry: AnyEntry, for injector: Injector) -> Bool {
    if injector.sandboxID == number || injector.isScope || entry.isClosable || placeholder(for: injector) != nil {
      return false
    }
    let base = outer?.existingCopy(of: injector) ?? injector
    if base.registrations.isClosed { return false }
    let (isAside, earlier) = state.withLock { state -> (Bool, AnyEntry?) in
      state.copy(of: injector) == nil ? (true, state.putAside(entry, for: injector)) : (false, nil)
    }
    withExtendedLifetime(earlier) {}
    return isAside
  }

  private func existingCopy(of injector: Injector) -> Injector? {
    state.withLock { $0.copy(of: injector) } ?? outer?.existingCopy(of: injector)
  }

  /// What has been put aside for the copy of an injector.
  func override(_ type: ObjectIdentifier, _ tag: Injector.Tag?, of injector: Injector) -> AnyEntry? {
    state.withLock { $0.override(type, tag, of: injector) }
  }

  /// Whether a use of an injector itself may be this test's: if it uses that too, or has created it.
  package func mayHave(_ escape: Escape) -> Bool {
    escape.creator == creator || state.withLock { $0.hasReached(escape.identity) }
  }

  /// The copies, in the order in which they were made.
  package var copies: [Injector] { state.withLock { $0.injectors } }

  /// The copies of all injectors that the test has used.
  package func allCopies() -> [Injector] {
    for original in state.withLock({ $0.overridden }) { _ = copy(of: original) }
    return copies
  }

  /// What is known of the registries here.
  var registries: RegistryState {
    let fresh = RegistryState(withHooksOf: outer?.registries ?? Registries.outside)
    return state.withLock { state in
      let present = state.registries ?? fresh
      state.registries = present
      return present
    }
  }
}
