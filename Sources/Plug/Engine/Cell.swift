import Synchronization

/// Where the instances of one injection come from, and where a shared one is kept.
///
/// Soundness of the unchecked conformance: its own state is immutable after `init`, or guarded, or published. Of
/// the casts in `arrive` and `weakInstance`: the cell itself is the only one to store an attempt and a weak instance,
/// and they are of its own `Service`.
@usableFromInline
final class Cell<Service: Sendable>: Entry<Service>, @unchecked Sendable {
  let kind: Lifetime
  let factory: Injection<Service>.Factory.Core

  /// What is needed from the first request on.
  private let published = Published()

  var existingState: CellState? { unsafe published.pointer(to: CellState.self)?.pointee }

  var state: CellState { existingState ?? published.publish(makeState()) }

  private func makeState(inPlaceOf other: Cell? = nil, level: Int32? = nil) -> CellState {
    CellState(
      weakInstance: kind == .weakSingleton ? WeakInstance<Service>() : nil,
      loading: factory.isLoaded ? Loading() : nil, origin: other.map { $0.state.origin ?? $0.state }, level: level,
      outerDecorators: level == nil ? [] : other?.decorators ?? [])
  }

  /// A cell in place of another whose service has been decorated.
  ///
  /// - Parameter level: How deep the scope lies that decorates it, if it is registered in another.
  init(decorating origin: Cell, _ factory: Injection<Service>.Factory, _ lifetime: Lifetime, level: Int32? = nil) {
    kind = lifetime
    self.factory = factory.core
    super.init(direct: nil, subject: origin.subject, isClosable: factory.core.closing != nil, isCopy: origin.isCopy)
    published.publish(makeState(inPlaceOf: origin, level: level))
  }

  /// Whether this has taken the place of a cell, or is it.
  func descends(from cell: Cell) -> Bool { self === cell || state.origin === cell.state }

  private var weakInstance: WeakInstance<Service>? {
    kind == .weakSingleton
      ? state.weakInstance.map { unsafe unsafeDowncast($0, to: WeakInstance<Service>.self) } : nil
  }

  @usableFromInline
  init(_ factory: Injection<Service>.Factory, _ lifetime: Lifetime, subject: Subject) {
    kind = lifetime
    self.factory = factory.core
    super.init(
      direct: lifetime == .factory && factory.core.isDirect ? factory.core.make : nil, subject: subject,
      isClosable: factory.core.closing != nil)
    if case .wired = factory.core.knowledge { trustDirect() }
  }

  /// The cell of an instance that is made from arguments.
  init(_ factory: Injection<Service>.Factory, _ lifetime: Lifetime, madeBy template: AnyEntry) {
    kind = lifetime
    self.factory = factory.core
    super.init(direct: nil, subject: template.subject, isClosable: false)
    published.publish(CellState(template: template))
  }

  /// The cell in which a scope keeps its own instance of what is registered.
  init(scopedFrom template: Cell) {
    kind = .scoped
    factory = template.factory
    super.init(direct: nil, subject: template.subject, isClosable: template.isClosable)
    published.publish(CellState(template: template, loading: factory.isLoaded ? Loading() : nil))
  }

  /// A cell that begins anew: that of a private copy, or in place of one whose instance has been given up.
  init(copying template: Cell, isCopy: Bool = true) {
    kind = template.kind
    factory = template.factory
    super.init(
      direct: template.direct, subject: template.subject,
      isClosable: template.isClosable && !(isCopy && kind == .singleton), isCopy: isCopy)
    if !isCopy { published.publish(makeState(inPlaceOf: template)) }
    if kind == .singleton, !factory.isDecorated, let given = unsafe template.instance.pointer(to: Service.self) {
      instance.initialize(to: unsafe given.pointee)
    }
    if let known = template.existingState?.record.withLock({ $0 }) { state.record.withLock { $0 = known } }
    isKnown.store(template.hasRun, ordering: .releasing)
    isConfigurationKnown.store(template.hasBeenConfigured, ordering: .releasing)
    if template.isDirect.load(ordering: .relaxed) { trustDirect() }
  }

  override func replacing(isCopy: Bool, _ change: (Cell<Service>) -> Cell<Service>) -> Entry<Service> { change(self) }

  override func changing(candidate id: String, at point: String, to verdict: Verdict) -> AnyEntry? {
    id == Fallback.id && point == typeName(Service.self) && verdict == .forced ? self : nil
  }

  override var candidatePaths: [String] { ["\(Fallback.id) at \(typeName(Service.self))"] }

  deinit {
    existingState?.inner.destroy(Service.self)
    published.destroy(CellState.self)
  }

  override var plain: Cell<Service>? { self }
  override var lifetime: Lifetime? { kind }
  override var parts: [AnyEntry] { [self] }
  override var knowledge: Knowledge { factory.knowledge }
  override var needsSetup: Bool { factory.setup != nil }
  override var isHandedIn: Bool { kind == .singleton && closingWork() != nil }
  override var isShared: Bool { existingState?.loading?.isShared ?? false }
  override var isInUse: Bool {
    if kind == .singleton, !factory.isDecorated, factory.setup == nil { return false }
    let isBeingMade = existingState.map { $0.attempt.withLock { $0 != nil } || $0.loading?.isBusy == true } ?? false
    return hasInstance || isBeingMade || hasOwnCells.load(ordering: .acquiring)
  }
  override var isAsynchronous: Bool { factory.isLoaded }
  override var decorators: [String] {
    (existingState?.outerDecorators ?? []) + (factory.extras?.decorations.map(\.id) ?? [])
  }
  override var isEarly: Bool { factory.isLoaded || factory.extras?.isEager == true }
  override var recorded: Record {
    existingState.map { state in state.template?.recorded ?? state.record.withLock { $0 } } ?? Record()
  }
  override var hasInstance: Bool {
    if let weakInstance { return weakInstance.value != nil }
    return unsafe instance.pointer(to: Service.self) != nil
  }

  override func first(for injector: Injector) throws(InjectorError) -> Service? { try instance(for: injector) }

  override func identified(for injector: Injector) throws(InjectorError) -> [(id: String, service: Service)] {
    [(Fallback.id, try instance(for: injector))]
  }

  @usableFromInline
  override func request(for injector: Injector) throws(InjectorError) -> Service {
    if kind == .scoped, existingState?.template == nil {
      return try injector.ownCell(for: self).instance(for: injector)
    }
    let context = ThreadContext.current
    return try context.session { () throws(InjectorError) in
      switch kind {
      case .singleton, .lazySingleton, .weakSingleton:
        try shared(Recipe(cell: self, injector: keeper(for: injector)), context)
      case .scoped: try shared(Recipe(cell: self, injector: injector), context)
      case .graph, .factory: try unkept(Recipe(cell: self, injector: injector), context)
      }
    }
  }

  private func keeper(for injector: Injector) -> Injector {
    existingState?.level.map { injector.ancestor(at: $0) } ?? injector.owner(of: subject)
  }

  override func note(_ dependency: Dependency) {
    if let template = state.template { return template.note(dependency) }
    state.record.withLock { $0.note(dependency) }
  }

  override func closingWork() -> ClosingWork? {
    let made = unsafe existingState?.inner.pointer(to: Service.self) ?? instance.pointer(to: Service.self)
    guard let closing = factory.closing, let made = unsafe made else { return nil }
    return closing.work(on: unsafe made.pointee)
  }

  /// Closes what has been made and is given to nobody. What was handed in stays.
  func discard(_ made: Service, in injector: Injector) {
    guard kind != .singleton, let work = factory.closing?.work(on: made) else { return }
    Closings([self], of: injector).discard(work, of: self, in: injector)
  }

  override var limits: TimeLimits { factory.extras?.limits ?? TimeLimits() }

  override func load(for injector: Injector, by way: [Step]) async throws(InjectorError) {
    try await loadShared(for: injector, by: way)
  }

  override func prepare(for injector: Injector) async throws(InjectorError) {
    if !kind.isKept || hasInstance { return }
    _ = try await injector.answering { injector throws(InjectorError) in try self.instance(for: injector) }
  }

  /// Makes an instance that the injector does not keep; one for the whole request is shared within that.
  private func unkept(_ recipe: Recipe<Service>, _ context: ThreadContext) throws(InjectorError) -> Service {
    if kind == .graph, let made = context.graphInstance(of: self, for: recipe.injector) { return made }
    try context.refuseCycle(through: self, in: recipe.injector)
    if let refusal = recipe.refusal(context) { throw refusal }
    return try recipe.make(context) { service, made in
      if kind == .graph { context.keep(service, of: self, for: recipe.injector) }
      recipe.deferConfigurations(of: made, context)
    }
  }

  func shared(_ recipe: Recipe<Service>, _ context: ThreadContext) throws(InjectorError) -> Service {
    while true {
      switch try arrive(recipe, context) {
      case .exists(let service): return service
      case .mine(let construction): return try build(construction, recipe, context)
      case .another(let construction):
        do throws(InjectorError) {
          let isEarly = try WaitGraph.join(construction, as: context, in: recipe.injector)
          if let service = isEarly ? construction.service : existing { return service }
        } catch .notLoaded, .mainActorRequired {
          // That was about the one who made it: another may know what to load, or be on the main actor.
        }
      }
    }
  }

  private enum Arrival {
    case exists(Service)
    case mine(TypedConstruction<Service>)
    case another(TypedConstruction<Service>)
  }

  /// Joins the attempt that is under way, or begins one; neither if the instance exists by now.
  private func arrive(_ recipe: Recipe<Service>, _ context: ThreadContext) throws(InjectorError) -> Arrival {
    let refusal = recipe.refusal(context)
    let fresh = TypedConstruction(recipe, owner: context)
    return try state.attempt.withLock { current throws(InjectorError) in
      if let existing { return .exists(existing) }
      if let current { return .another(unsafe unsafeDowncast(current, to: TypedConstruction<Service>.self)) }
      if let refusal { throw refusal }
      current = fresh
      return .mine(fresh)
    }
  }

  var existing: Service? {
    if let weakInstance { return weakInstance.value }
    return unsafe instance.pointer(to: Service.self)?.pointee
  }

  private func build(
    _ construction: TypedConstruction<Service>, _ recipe: Recipe<Service>, _ context: ThreadContext
  ) throws(InjectorError) -> Service {
    let service: Service
    do throws(InjectorError) {
      service = try recipe.make(context) { service, made in
        construction.service = service
        if isClosable { construction.made = made }
        recipe.deferConfigurations(of: made, context)
      }
    } catch {
      _ = construction.finish(error)
      throw error
    }
    if !context.deferred.isEmpty || context.assembly != nil {
      context.assemble(construction)
    } else if let failure = construction.finish(nil) {
      throw failure
    }
    return service
  }

  /// Makes a constructed instance the one that everyone gets.
  ///
  /// - Returns: Why it cannot be; then it has been closed.
  func publish(_ service: Service, _ made: Service?, in injector: Injector) -> InjectorError? {
    if let weakInstance {
      if weakInstance.set(service) { return nil }
      return .lifetimeUnsupported(
        InjectorError.Facts(about: subject, in: injector), lifetime: kind,
        reason: .valueType("\(Mirror(reflecting: service).subjectType)"))
    }
    if factory.isDecorated, let made { state.inner.publish(made) }
    instance.publish(service)
    if injector.keep(self) {
      if kind != .singleton { Startup.current?.note(self, in: injector) }
      return nil
    }
    injector.close([self])
    return .scopeClosed(InjectorError.Facts(about: subject, in: injector))
  }

  func endAttempt() {
    state.attempt.withLock { $0 = nil }
  }

  override var hasRun: Bool { existingState?.template?.hasRun ?? super.hasRun }
  override var hasBeenConfigured: Bool { existingState?.template?.hasBeenConfigured ?? super.hasBeenConfigured }

  /// From now on it is known what a run asks for.
  override func finishRecording(isConfigured: Bool) {
    if let template = state.template { return template.finishRecording(isConfigured: isConfigured) }
    // Released, so that whoever sees it also sees what has been recorded.
    if isConfigured {
      isConfigurationKnown.store(true, ordering: .releasing)
    } else {
      isKnown.store(true, ordering: .releasing)
    }
    if case .opaque = factory.knowledge { trustDirect() }
  }
}
