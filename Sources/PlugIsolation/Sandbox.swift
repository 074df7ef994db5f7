package import Plug

/// The copies of an isolated test or a preview: one copy of each injector that is reached in it, with the same
/// registrations and without instances.
package final class Sandbox: Redirection {
  private struct State {
    /// The copies, in the order in which they were made.
    var copies: [Injector] = []
    /// The number of copies whose instances have been released.
    var endedCount = 0
    /// The counterparts of injectors, and of other objects that keep instances, by these originals.
    var injectors: [ObjectIdentifier: (original: Injector, copy: Injector)] = [:]
    var objects: [ObjectIdentifier: (original: any AnyObject & Sendable, copy: any AnyObject & Sendable)] = [:]
    /// The current overrides.
    var overrides: [Override] = []
    /// The sandbox itself, if it is a preview that is kept for good.
    var preview: Sandbox?

    mutating func take() -> State {
      defer { self = State() }
      return self
    }
  }

  package let number: UInt
  private let outer: Sandbox?
  private let kind: Kind
  /// The task or thread that began the test; `nil` if the test is not strict.
  private let creator: UInt?
  package let watch: (any Hooks)?
  /// The hooks of each copy.
  private let recorder: (any Hooks)?
  private let state: Guarded<State>

  /// The purpose of a sandbox.
  package enum Kind {
    /// A test.
    case test
    /// A preview, which is kept for good, since nobody knows when the last view of it has gone.
    case preview
    /// A trial, which computes the effect of a change.
    case trial
  }

  private init(_ kind: Kind, watch: (any Hooks)?, recorder: (any Hooks)? = nil, onEscape: Escape.Watch?) {
    (number, outer) = (Layers.beginRedirecting(), .current)
    state = Guarded(State())
    (self.kind, self.watch, self.recorder) = (kind, watch, recorder)
    creator = onEscape.map { _ in Injector.callingTask }
    if let onEscape { Escape.beginWatching(number, onEscape) }
  }

  /// Creates a sandbox that takes over the copies of another, which has ended.
  private init(_ state: State, of number: UInt, in outer: Sandbox?) {
    (self.number, self.outer) = (number, outer)
    self.state = Guarded(state)
    (kind, watch, recorder, creator) = (.test, nil, nil, nil)
    Layers.beginRedirecting()
  }

  deinit {
    // The instances must be released in a sandbox, which can no longer be this one.
    let rest = state.withLock { $0.take() }
    if !rest.copies.isEmpty || !rest.objects.isEmpty { Sandbox(rest, of: number, in: outer).close() }
    if creator != nil { Escape.endWatching(number) }
    Layers.endRedirecting()
  }

  /// The sandbox of the calling task or thread.
  package static var current: Sandbox? { Layers.redirection as? Sandbox }

  // MARK: Running

  /// Runs code that uses copies, and then releases their instances, except for those of a preview.
  ///
  /// - Parameters:
  ///   - kind: The purpose of the sandbox.
  ///   - watch: The hooks that see the choices.
  ///   - onEscape: Receives direct uses of injectors from outside any isolation, if they are forbidden.
  package static func run<Result>(
    as kind: Kind = .test, watch: (any Hooks)? = nil, onEscape: Escape.Watch? = nil,
    _ body: (Sandbox) throws -> Result
  ) rethrows -> Result {
    let sandbox = Sandbox(kind, watch: watch, onEscape: onEscape)
    defer { sandbox.enter { for copy in sandbox.ending { copy.reset() } } }
    let result = try sandbox.enter { try body(sandbox) }
    sandbox.keepPreview()
    return result
  }

  /// Runs asynchronous code that uses copies, and then releases their instances, except for those of a preview.
  ///
  /// - Parameter recorder: The hooks that see all requests of the copies.
  package static func run<Result>(
    as kind: Kind = .test, watch: (any Hooks)? = nil, recorder: (any Hooks)? = nil, onEscape: Escape.Watch? = nil,
    _ body: (Sandbox) async throws -> Result
  ) async rethrows -> Result {
    let sandbox = Sandbox(kind, watch: watch, recorder: recorder, onEscape: onEscape)
    func end() async {
      await Layers.withRedirection(sandbox) { for copy in sandbox.ending { await copy.renew { _ in true } } }
    }
    do {
      let result = try await Layers.withRedirection(sandbox) { try await body(sandbox) }
      sandbox.keepPreview()
      await end()
      return result
    } catch {
      await end()
      throw error
    }
  }

  private func keepPreview() {
    if kind == .preview { state.withLock { $0.preview = self } }
  }

  /// Runs the beginning or the end of the sandbox. If the initializer of a global has begun the sandbox, this work does
  /// not set up objects of the program.
  private func enter<Result>(_ work: () throws -> Result) rethrows -> Result {
    try StaticInitialization.isolating { try Layers.withRedirection(self, work) }
  }

  /// The copies whose instances are to be released, the last first, and then those that are made meanwhile. Ends their
  /// observations. Tasks that continue can still use the copies.
  private var ending: some Sequence<Injector> {
    sequence(state: [Injector]()) { [self] rest in
      if rest.isEmpty {
        rest = state.withLock { state in
          if state.preview != nil { return [] }
          defer { state.endedCount = state.copies.count }
          return Array(state.copies.dropFirst(state.endedCount))
        }
        for copy in rest { for attachment in copy.attachments { attachment.end(keepsValues: true) } }
      }
      return rest.popLast()
    }
  }

  /// Closes the copies, and releases everything else.
  private func close() {
    state.withLock { $0.endedCount = 0 }
    enter {
      for copy in ending { copy.closeNow() }
      let rest = state.withLock { $0.take() }
      withExtendedLifetime(rest) {}
    }
  }
}

// MARK: Copies

extension Sandbox {
  /// The copies, in the order in which they were made.
  package var copies: [Injector] { state.withLock { $0.copies } }

  package func copy(of injector: Injector) -> Injector {
    if injector.sandbox == number { return injector }
    if let known = known(injector) { return known }
    // What the initializer of a global does with an injector that it has just made belongs to the program.
    if injector.sandbox == 0, injector.number > number, isSettingUp { return injector }
    let base = outer?.copy(of: injector) ?? injector
    let made = known(base) ?? makeCopy(of: base)
    let copy = state.withLock { state in
      let first = state.injectors[ObjectIdentifier(base)]?.copy
      if first == nil { state.copies.append(made) }
      for original in [base, injector] { state.injectors[ObjectIdentifier(original)] = (original, first ?? made) }
      return first ?? made
    }
    if let recorder { Layers.install(recorder, in: copy) }
    return copy
  }

  private func known(_ injector: Injector) -> Injector? {
    state.withLock { $0.injectors[ObjectIdentifier(injector)]?.copy }
  }

  private func makeCopy(of original: Injector) -> Injector {
    // What the test has changed by the name, before the program created the injector, applies to it.
    if let environment = original.name?.environment, original.sandbox == 0, let made = environment.madeForName,
      let early = known(made), environment.created(in: 0, where: { !$0.isClosedItself }) === original
    {
      early.copy(original)
      return early
    }
    return Injector(
      copying: original, in: original.parent.map(copy), allowRewrite: kind != .test, sandbox: number)
  }

  package func isInside(_ number: UInt) -> Bool { self.number == number || outer?.isInside(number) ?? false }

  package func isolated<Object: AnyObject & Sendable>(_ object: Object, _ make: () -> Object) -> Object {
    let key = ObjectIdentifier(object)
    if let known = state.withLock({ $0.objects[key]?.copy as? Object }) { return known }
    let copy = make()
    return state.withLock { state in
      if let first = state.objects[key]?.copy as? Object { return first }
      state.objects[key] = (object, copy)
      state.objects[ObjectIdentifier(copy)] = (copy, copy)
      return copy
    }
  }

  package func find(_ environment: Environment) -> Injector {
    for sandbox in sequence(first: self, next: \.outer) {
      if let own = environment.created(in: sandbox.number, where: isOpen) { return own }
    }
    return environment.created(in: 0, where: isOpen) ?? environment.placeholder
  }

  /// Whether the copy of an injector, or the injector itself if it has no copy yet, is open.
  private func isOpen(_ injector: Injector) -> Bool {
    let copy = sequence(first: self, next: \.outer).lazy.compactMap { $0.known(injector) }.first
    return !(copy ?? injector).isClosedItself
  }

  /// Whether the sandbox belongs to a preview, or to a trial in one.
  package var isPreview: Bool { kind == .preview || kind == .trial && outer?.isPreview ?? false }

  package var isSettingUp: Bool { StaticInitialization.isRunning }

  /// Whether an escape may belong to this test: the test uses the injector as well, or has made it.
  package func mayHave(_ escape: Escape) -> Bool {
    escape.creator == creator
      || state.withLock { state in state.injectors.values.contains { $0.original.number == escape.number } }
  }
}

// MARK: Overrides

extension Sandbox {
  func add(_ override: Override) {
    let old = state.withLock { state in
      let old = state.overrides
      state.overrides = old.filter { $0.key != override.key || $0.number != override.number } + [override]
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// The overrides that replace no registration and have not been requested.
  package var futileOverrides: [Override] { state.withLock { $0.overrides }.filter(\.isFutile) }

  /// Accepts all overrides so far, even without requests.
  package func waiveOverrides() { for override in state.withLock({ $0.overrides }) { override.waive() } }
}
