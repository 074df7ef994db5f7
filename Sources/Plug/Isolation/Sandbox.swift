/// The copies of an isolated test or a preview: one copy of each injector that is reached in it, with the same
/// registrations and without instances.
package final class Sandbox: Redirection {
  private struct State {
    /// The copies with their originals, in the order in which the copies were made.
    var copies: [(original: Injector, copy: Injector)] = []
    /// The overrides in force.
    var overrides: [Override] = []
    /// The copies of environments, and of other objects that keep instances.
    var objects: [ObjectIdentifier: (original: any AnyObject & Sendable, copy: any AnyObject & Sendable)] = [:]

    mutating func take() -> State {
      defer { self = State() }
      return self
    }
  }

  package let number: UInt
  let outer: Sandbox?
  let kind: Kind
  /// The task or thread that began the test; `nil` if the test is not strict.
  private let creator: UInt?
  package let watch: (any Hooks)?
  private let state: Guarded<State>

  /// The purpose of a sandbox.
  package enum Kind {
    /// A test.
    case test
    /// A preview, which lives as long as the instances that it makes.
    case preview
    /// A trial, which computes the effect of a change.
    case trial
  }

  init(_ kind: Kind = .test, watch: (any Hooks)? = nil, onEscape: Escape.Watch? = nil) {
    (number, outer) = (Work.makeID(), .current)
    state = Guarded(State())
    (self.kind, self.watch, creator) = (kind, watch, onEscape.map { _ in Running.task })
    if let onEscape { Escape.beginWatching(number, onEscape) }
    Layers.beginRedirecting()
  }

  /// Creates a sandbox that takes over the copies of another, which has ended.
  private init(_ state: State, of number: UInt, in outer: Sandbox?) {
    (self.number, self.outer) = (number, outer)
    self.state = Guarded(state)
    (kind, watch, creator) = (.test, nil, nil)
    Layers.beginRedirecting()
  }

  deinit {
    // The instances must be released in a sandbox, which can no longer be this one.
    let rest = state.withLock { $0.take() }
    if !rest.copies.isEmpty || !rest.objects.isEmpty { Sandbox(rest, of: number, in: outer).end() }
    if creator != nil { Escape.endWatching(number) }
    Layers.endRedirecting()
  }

  /// The sandbox of the calling task or thread.
  package static var current: Sandbox? { Layers.redirection as? Sandbox }

  // MARK: Running

  /// Runs code that uses copies, and then releases their instances.
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
    defer { sandbox.enter { for copy in sandbox.ending { copy.renew { _ in true } } } }
    return try sandbox.enter { try body(sandbox) }
  }

  /// Runs asynchronous code that uses copies, and then releases their instances.
  package static func run<Result>(
    watch: (any Hooks)? = nil, onEscape: Escape.Watch? = nil, _ body: (Sandbox) async throws -> Result
  ) async rethrows -> Result {
    let sandbox = Sandbox(watch: watch, onEscape: onEscape)
    func end() async {
      await Layers.withRedirection(sandbox) { for copy in sandbox.ending { await copy.renew { _ in true } } }
    }
    do {
      let result = try await Layers.withRedirection(sandbox) { try await body(sandbox) }
      await end()
      return result
    } catch {
      await end()
      throw error
    }
  }

  /// Runs the beginning or the end of the sandbox. If the initializer of a global has begun the sandbox, this work does
  /// not set up objects of the program.
  func enter<Result>(_ work: () throws -> Result) rethrows -> Result {
    try StaticInitialization.isolating { try Layers.withRedirection(self, work) }
  }

  /// The copies whose instances are to be released, the last first, and then those that are made meanwhile. Ends their
  /// observations. Tasks that continue can still use the copies.
  private var ending: some Sequence<Injector> {
    sequence(state: (done: 0, rest: [Injector]())) { [self] state in
      if state.rest.isEmpty {
        state.rest = Array(copies.dropFirst(state.done))
        state.done += state.rest.count
        for attachment in state.rest.flatMap({ $0.state.withLock { $0.attachments } }) {
          (attachment.object as? any EndingAttachment)?.endObserving()
        }
      }
      return state.rest.popLast()
    }
  }

  private func end() {
    enter {
      for copy in ending { copy.renew { _ in true } }
      for copy in copies.reversed() { copy.closeNowItself() }
      let rest = state.withLock { $0.take() }
      withExtendedLifetime(rest) {}
    }
  }

  func add(_ override: Override) {
    let old = state.withLock { state in
      let old = state.overrides
      state.overrides = old.filter { $0.key != override.key || $0.number != override.number } + [override]
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// The overrides that replace no registration and have not been requested.
  package var futileOverrides: [Override] {
    let (overrides, copies) = state.withLock { ($0.overrides, $0.copies) }
    return overrides.filter { override in
      // The program may have registered the service since then.
      override.isFutile && copies.first { $0.copy.number == override.number }?.original.ownCell(of: override.key) == nil
    }
  }

  /// Accepts all overrides so far, even without requests.
  package func waiveOverrides() { for override in state.withLock({ $0.overrides }) { override.waive() } }

  package var copies: [Injector] {
    state.withLock { state in
      var copies: [Injector] = []
      for known in state.copies where !copies.contains(where: { $0 === known.copy }) { copies.append(known.copy) }
      return copies
    }
  }
}

// MARK: Copies

extension Sandbox {
  package func copy(of injector: Injector) -> Injector {
    if injector.sandbox == number || injector.isBeingSetUp { return injector }
    if let known = known(injector) { return known }
    let base = outer?.copy(of: injector) ?? injector
    let new = known(base) ?? makeCopy(of: base, in: injector.parent)
    return state.withLock { state in
      if let first = state.copies.first(where: { $0.original === injector }) { return first.copy }
      state.copies.append((injector, new))
      return new
    }
  }

  func known(_ injector: Injector) -> Injector? {
    state.withLock { state in state.copies.first { $0.original === injector }?.copy }
  }

  private func makeCopy(of original: Injector, in parent: Injector?) -> Injector {
    let copy =
      if let parent {
        Injector(scope: original.scopeName ?? "scope", of: copy(of: parent), original.name, isCopy: true)
      } else {
        Injector(
          named: original.name, allowRewrite: original.allowRewrite || kind != .test, sandbox: number,
          isHome: original.isHome)
      }
    copy.copy(original)
    return copy
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

  package var isHeld: Bool { kind == .preview }

  /// Whether the sandbox belongs to a preview, or to a trial in one.
  package var isPreview: Bool { isHeld || kind == .trial && outer?.isPreview ?? false }

  /// Whether an escape may belong to this test: the test uses the injector as well, or has made it.
  package func mayHave(_ escape: Escape) -> Bool {
    escape.creator == creator
      || state.withLock { state in state.copies.contains { $0.original.number == escape.number } }
  }
}
