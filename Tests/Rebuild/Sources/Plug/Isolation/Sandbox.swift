/// What an isolated test or a preview has in place of injectors: a copy of each that it reaches, with the same
/// registrations and without instances.
package final class Sandbox: Redirection {
  private struct State {
    /// The copies, with what they are copies of, in the order in which they were made.
    var copies: [(original: Injector, copy: Injector)] = []
    /// The injectors that have names here alone.
    var environments: [(environment: Environment, injector: Injector)] = []
    /// What stands for objects that keep instances themselves.
    var objects: [ObjectIdentifier: (original: any AnyObject & Sendable, copy: any AnyObject & Sendable)] = [:]

    var isEmpty: Bool { copies.isEmpty && environments.isEmpty && objects.isEmpty }

    mutating func take() -> State {
      defer { self = State() }
      return self
    }
  }

  package let number: UInt
  private let outer: Sandbox?
  private let isPreview: Bool
  private let state: Guarded<State>

  private init(isPreview: Bool = false) {
    self.isPreview = isPreview
    number = Work.makeID()
    outer = Self.current
    state = Guarded(State())
    Layers.beginRedirecting()
  }

  private init(inheriting state: State, of number: UInt, in outer: Sandbox?) {
    self.number = number
    self.outer = outer
    self.state = Guarded(state)
    isPreview = false
    Layers.beginRedirecting()
  }

  deinit {
    // Instances are released in the sandbox. This one can be nobody's any more; its copies go on in another one.
    let rest = state.withLock { $0.take() }
    if !rest.isEmpty { Sandbox(inheriting: rest, of: number, in: outer).end() }
    Layers.endRedirecting()
  }

  /// The sandbox of the calling task or thread.
  package static var current: Sandbox? { Layers.redirection as? Sandbox }

  // MARK: Running

  /// Runs code that sees copies, and gives up what they have made.
  package static func run<Result>(_ body: (Sandbox) throws -> Result) rethrows -> Result {
    let sandbox = Sandbox()
    defer { sandbox.run { sandbox.startOver() } }
    return try sandbox.run { try body(sandbox) }
  }

  /// Runs asynchronous code that sees copies, and gives up what they have made.
  package static func run<Result>(_ body: (Sandbox) async throws -> Result) async rethrows -> Result {
    let sandbox = Sandbox()
    do {
      let result = try await sandbox.run { try await body(sandbox) }
      await sandbox.run { await sandbox.startOver() }
      return result
    } catch {
      await sandbox.run { await sandbox.startOver() }
      throw error
    }
  }

  /// Makes a value that goes on with the copies.
  static func preview<Value>(_ make: () throws -> Value) rethrows -> Value { try Sandbox(isPreview: true).run(make) }

  static func preview<Value>(_ make: () async throws -> Value) async rethrows -> Value {
    try await Sandbox(isPreview: true).run(make)
  }

  package func run<Result>(_ work: () throws -> Result) rethrows -> Result {
    try StaticInitialization.isolating { try Layers.withRedirection(self, work) }
  }

  package func run<Result>(_ work: () async throws -> Result) async rethrows -> Result {
    try await Layers.withRedirection(self, work)
  }

  /// Gives up the instances. The copies can still be asked, by tasks that go on.
  private func startOver() {
    var done = 0
    while case let copies = copies, copies.count > done {
      for copy in copies[done...].reversed() { copy.renew { _ in true } }
      done = copies.count
    }
  }

  private func startOver() async {
    var done = 0
    while case let copies = copies, copies.count > done {
      for copy in copies[done...].reversed() { await copy.renew { _ in true } }
      done = copies.count
    }
  }

  private func end() {
    run {
      startOver()
      for copy in copies.reversed() { copy.closeNowItself() }
      let rest = state.withLock { $0.take() }
      withExtendedLifetime(rest) {}
    }
  }

  package var copies: [Injector] { state.withLock { $0.copies.map(\.copy) } }
}

// MARK: Copies

extension Sandbox {
  package func copy(of injector: Injector) -> Injector {
    if injector.sandbox == number || injector.isBeingSetUp { return injector }
    if let known = known(injector) { return known }
    let base = outer?.copy(of: injector) ?? injector
    let copy = Injector(copying: base, in: injector.parent.map(copy(of:)), sandbox: number, isPreview: isPreview)
    return state.withLock { state in
      if let first = state.copies.first(where: { $0.original === injector }) { return first.copy }
      state.copies.append((injector, copy))
      return copy
    }
  }

  private func known(_ injector: Injector) -> Injector? {
    state.withLock { state in state.copies.first { $0.original === injector }?.copy }
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

  package var isHeld: Bool { isPreview }

  // MARK: Names

  package func find(_ environment: Environment) -> Injector {
    if let present = present(environment) { return present }
    let fresh = Injector(named: Injector.Name(environment), allowRewrite: isPreview, sandbox: number)
    return state.withLock { state in
      if let first = state.environments.first(where: { $0.environment === environment }) { return first.injector }
      state.environments.append((environment, fresh))
      return fresh
    }
  }

  private func present(_ environment: Environment) -> Injector? {
    let local = state.withLock { state in state.environments.first { $0.environment === environment }?.injector }
    return local ?? outer?.present(environment) ?? environment.present
  }

  package func claim(_ environment: Environment, for injector: Injector) -> Injector {
    if let present = present(environment), !copy(of: present).isUntouched, !copy(of: present).isClosedItself {
      return present
    }
    let old = state.withLock { state -> Injector? in
      let old = state.environments.firstIndex { $0.environment === environment }
        .map { state.environments.remove(at: $0).injector }
      state.environments.append((environment, injector))
      return old
    }
    withExtendedLifetime(old) {}
    return injector
  }
}

extension Injector {
  /// Makes an injector with the registrations of another one, whose instances are its own.
  convenience init(copying original: Injector, in parent: Injector?, sandbox: UInt, isPreview: Bool) {
    if let parent {
      self.init(scope: original.scopeName ?? "scope", of: parent, isCopy: true)
    } else {
      self.init(
        named: original.name, allowRewrite: original.allowRewrite || isPreview, sandbox: sandbox,
        isHome: original.isHome)
    }
    let (cells, phase, attachments) = original.state.withLock { ($0.cells, $0.phase, $0.attachments) }
    let copies = cells.map(\.fresh)
    state.withLock { state in
      for cell in copies { state.table.insert(cell) }
      state.phase = isPreview && phase == .sealed ? .open : phase
    }
    copyAttachments(attachments)
  }
}

extension Cell {
  /// A cell for a copy of the registration.
  fileprivate var fresh: Cell {
    Cell(registration.fresh, selector: selector.map { $0.copy(with: $0.cells.map(\.registration.fresh)) })
  }
}

extension Registration {
  /// The registration in a copy. An object that was handed in is not configured there, as it is not a copy.
  var fresh: Registration {
    guard isConfigured, let instance, let values = recipe.extras?.values, values.isObject?(instance) ?? false else {
      return with(recipe, instance: instance)
    }
    let refused = AnyRecipe(
      { [self] _, injector in throw injector.failure(.shared, self, Level.current.with { $0.path }) },
      recipe.isolation, recipe.needs, recipe.extras)
    return with(refused)
  }
}
