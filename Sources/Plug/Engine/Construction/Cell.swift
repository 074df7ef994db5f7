import Synchronization

/// Where the instances of one injection come from, and where a shared one is kept.
///
/// Soundness of the unchecked conformance: its own state is immutable after `init`, or guarded, or published. Of
/// the casts in `arrive` and `weakInstance`: the cell itself is the only one to store an attempt and a weak instance,
/// and they are of its own `Service`.
@safe
@usableFromInline
final class Cell<Service: Sendable>: Entry<Service>, EntryPart, @unchecked Sendable {
  let kind: Lifetime

  /// Whether a run has shown what the factory asks for, and another what the configuration does. They stand here
  /// because there is room.
  private let isKnown = Atomic(false)
  private let isConfigurationKnown = Atomic(false)

  /// How many runs have been recorded of a factory that declares what it asks for, up to the limit.
  private let declaredRuns = Atomic<UInt8>(0)
  private static var declaredRunLimit: UInt8 { 100 }

  /// What makes the instances. A scope's cell leaves it to what is registered, which it keeps, to keep this.
  ///
  /// Soundness: it is retained in every `init` but that of a scope's cell, and released in `deinit`.
  private let core: Unmanaged<Injection<Service>.Factory.Core>

  var factory: Injection<Service>.Factory.Core { unsafe core.takeUnretainedValue() }

  /// Looks at it, and counts no reference.
  @inline(__always)
  func withFactory<Result>(_ body: (Injection<Service>.Factory.Core) -> Result) -> Result {
    unsafe core._withUnsafeGuaranteedRef(body)
  }

  /// What is needed from the first request on.
  private let published = PublishedObject()

  var existingState: CellState? { published.object(CellState.self) }

  var state: CellState { existingState ?? published.publish(makeState()) }

  private func makeState(inPlaceOf other: Cell? = nil, outerDecorators: [String] = []) -> CellState {
    let policy = toleratesFailure ? factory.extras?.failurePolicy : nil
    return CellState(
      weakInstance: kind == .weakSingleton ? WeakInstance<Service>() : nil,
      loading: factory.isLoaded ? Loading(declaration) : nil, origin: other?.originState,
      outerDecorators: outerDecorators, health: policy.map { Health($0) })
  }

  /// The state of what this has taken the place of first.
  private var originState: CellState { state.origin ?? state }

  /// A cell in place of another whose service has been decorated.
  init(
    decorating origin: Cell, _ factory: Injection<Service>.Factory, _ lifetime: Lifetime, outerDecorators: [String] = []
  ) {
    kind = lifetime
    unsafe core = unsafe .passRetained(factory.core)
    unsafe super.init(
      direct: nil, isTemplate: lifetime == .scoped, declaration: origin.declaration,
      isClosable: factory.core.closing != nil, isCopy: origin.isCopy, isRecorded: factory.core.isRecorded)
    published.publish(makeState(inPlaceOf: origin, outerDecorators: outerDecorators))
  }

  /// Whether this has taken the place of a cell, or is it.
  func descends(from cell: Cell) -> Bool { self === cell || state.origin === cell.state }

  var weakInstance: WeakInstance<Service>? {
    kind == .weakSingleton
      ? state.weakInstance.map { unsafe unsafeDowncast($0, to: WeakInstance<Service>.self) } : nil
  }

  @usableFromInline
  init(_ factory: consuming Injection<Service>.Factory, _ lifetime: Lifetime, declaration: consuming Declaration) {
    kind = lifetime
    let core = unsafe Unmanaged.passRetained((consume factory).core)
    unsafe self.core = unsafe core
    let direct = unsafe core._withUnsafeGuaranteedRef { unsafe $0.direct(for: lifetime) }
    let isClosable = unsafe core._withUnsafeGuaranteedRef { $0.closing != nil }
    let isRecorded = unsafe core._withUnsafeGuaranteedRef { $0.isRecorded }
    unsafe super.init(
      direct: direct, makesShared: lifetime == .lazySingleton, isTemplate: lifetime == .scoped,
      declaration: declaration, isClosable: isClosable, isRecorded: isRecorded)
    if withFactory({ $0.knowledge.isWired }) { trustDirect() }
  }

  /// The cell of an instance that is made from arguments.
  init(_ factory: Injection<Service>.Factory, _ lifetime: Lifetime, madeBy template: any EntryPart) {
    kind = lifetime
    unsafe core = unsafe .passRetained(factory.core)
    unsafe super.init(
      direct: nil, declaration: template.declaration, isClosable: false, isRecorded: factory.core.isRecorded)
    settle(at: template.level.load(ordering: .relaxed))
    published.publish(CellState(template: template))
  }

  /// The cell in which a scope keeps its own instance of what is registered.
  init(scopedFrom template: borrowing Cell, at depth: Int32) {
    kind = .scoped
    unsafe core = unsafe template.core
    super.init(like: copy template)
    settle(at: depth)
  }

  /// A cell that begins anew: that of a private copy, or in place of one whose instance has been given up.
  init(copying template: Cell, isCopy: Bool = true) {
    kind = template.kind
    unsafe core = unsafe .passRetained(template.factory)
    unsafe super.init(
      direct: template.direct, makesShared: template.makesShared,
      isTemplate: template.isTemplate, declaration: template.declaration,
      isClosable: template.isClosable && !(isCopy && kind == .singleton),
      isCopy: isCopy, isRecorded: template.isRecorded)
    if !isCopy { published.publish(makeState(inPlaceOf: template)) }
    let isAsGiven = kind == .singleton && !factory.isDecorated && factory.setup == nil
    if isAsGiven, let given = unsafe template.instance.pointer(to: Service.self) {
      instance.initialize(to: unsafe given.pointee)
    }
    if let known = template.existingState?.record.withLock({ $0 }) { state.record.withLock { $0 = known } }
    isKnown.store(template.hasRun, ordering: .releasing)
    isConfigurationKnown.store(template.hasBeenConfigured, ordering: .releasing)
    if template.isDirect.load(ordering: .relaxed) { trustDirect() }
  }

  override func copied() -> AnyEntry { Cell(copying: self) }
  override func decorated(by decorations: [AnyDecoration]) -> AnyEntry { wrapped(by: decorations) }
  override func renewing(_ cells: Set<ObjectIdentifier>) -> AnyEntry { renewed(if: cells) }
  override func overlaid(
    by decorations: [AnyDecoration], in level: Int32, known: (AnyEntry) -> AnyEntry?
  ) -> AnyEntry { wrapped(by: decorations, in: level, unlessKnown: known) }

  /// One that begins anew, if this is one of those whose instances have been given up.
  func renewed(if isGone: Set<ObjectIdentifier>) -> Cell {
    isGone.contains(ObjectIdentifier(self)) ? Cell(copying: self, isCopy: isCopy) : self
  }

  override func isSwitched(by entry: Switches.Switch) -> Bool {
    entry.candidate == Fallback.id && entry.point == typeName(Service.self) && entry.action == .forced
  }

  override var candidatePaths: [String] { ["\(Fallback.id) at \(typeName(Service.self))"] }

  deinit {
    if isClosable, isStandalone { closeAtEnd() }
    existingState?.inner.destroy(Service.self)
    published.destroy()
    if registered == nil { unsafe core.release() }
  }

  override var lifetime: Lifetime? { kind }
  override var toleratesFailure: Bool {
    factory.extras?.failurePolicy.isThrowing == false && declaration.candidate != nil
  }
  override var parts: [any EntryPart] { [self] }
  var knowledge: Knowledge { factory.knowledge }
  var needsSetup: Bool { factory.setup != nil }
  /// One that is configured before anyone gets it is kept then, by whoever asks first.
  override var isHandedIn: Bool { kind == .singleton && factory.setup == nil && pendingClose() != nil }
  override var keptAs: ObjectIdentifier {
    kind == .singleton ? ObjectIdentifier(originState) : ObjectIdentifier(self)
  }
  override func isKept(for registered: Set<ObjectIdentifier>) -> Bool {
    registered.contains(keptAs) || template.map { registered.contains($0.keptAs) } == true
  }
  func reserve(_ seen: inout [any Sendable]) -> Bool { reserveClaim(&seen) }
  override func settle(as status: EntryStatus) {
    super.settle(as: status)
    settleClaim(as: status)
  }
  /// The first time, or a hundred times if it has been declared: while someone records, no request takes a short cut.
  override var needsRecord: Bool {
    if withFactory({ $0.knowledge.isDeclared }) {
      (registeredCell ?? self).declaredRuns.load(ordering: .relaxed) < Self.declaredRunLimit
    } else {
      isRecorded && !hasRun
    }
  }
  func makeRecord(in injector: Injector) -> RunRecord? { needsRecord ? RunRecord(in: injector) : nil }

  override func finishMaking(in injector: Injector, _ publish: () -> Void) -> InjectorError? {
    keep(in: injector, publish)
  }
  override func beginFirstOwnCell() -> Bool { beginOwnCells() }
  override func makeOwnCell(
    at depth: Int32, with instance: UnsafeMutableRawPointer?, in memory: InstanceMemory?
  ) -> AnyEntry? {
    let cell = Cell(scopedFrom: self, at: depth)
    guard let instance = unsafe instance, let memory else { return cell }
    cell.instance.initialize(to: unsafe instance.assumingMemoryBound(to: Service.self).move())
    unsafe memory.deallocate(instance, alignment: MemoryLayout<Service>.alignment)
    return cell
  }
  override func endInstance(at place: UnsafeMutableRawPointer, in memory: InstanceMemory) {
    unsafe place.assumingMemoryBound(to: Service.self).deinitialize(count: 1)
    unsafe memory.deallocate(place, alignment: MemoryLayout<Service>.alignment)
  }
  override func endAttempt(_ failure: InjectorError?, in injector: Injector) {
    endAttempt(in: injector)?.advance(to: .finished(failure))
  }
  @usableFromInline
  override func publishLater(_ service: Service, _ making: Making, for injector: Injector) throws(InjectorError) {
    try postpone(service, making, for: injector)
  }
  var loadable: (any LoadableCell)? { self }
  var decorators: [String] {
    (existingState?.outerDecorators ?? []) + (factory.extras?.decorations.map(\.id) ?? [])
  }
  var recorded: Record {
    template?.recorded ?? existingState?.record.withLock { $0 } ?? Record()
  }
  var hasInstance: Bool {
    if kind == .weakSingleton { return state.weakInstance?.exists ?? false }
    return unsafe instance.pointer(to: Service.self) != nil
  }

  override func explanation<Context: Sendable>(in context: Context, for injector: Injector) -> Explanation? {
    Explanation(sole: self, context: typeName(Context.self))
  }

  override func first(for injector: Injector) throws(InjectorError) -> Service? { try instance(for: injector) }

  override func identified(for injector: Injector) throws(InjectorError) -> [(id: String, service: Service)] {
    [(Fallback.id, try instance(for: injector))]
  }

  @usableFromInline
  override func request(for injector: Injector) throws(InjectorError) -> Service {
    if isTemplate {
      let own = try injector.ownCell(for: self)
      return try unsafe unsafeDowncast(own, to: Cell.self).instance(for: injector)
    }
    if kind == .weakSingleton, let existing { return existing }
    let context = ThreadContext.current
    return try context.session { () throws(InjectorError) in
      switch kind {
      case .singleton, .lazySingleton, .weakSingleton:
        try shared(Recipe(cell: self, injector: keeper(for: injector)), for: injector, context)
      case .scoped: try shared(Recipe(cell: self, injector: injector), for: injector, context)
      case .graph, .factory: try unkept(Recipe(cell: self, injector: injector), context)
      }
    }
  }

  /// The injector that keeps the instance: a matter of where this is registered, and not of what is there by now.
  private func keeper(for injector: Injector) -> Injector { injector.ancestor(at: level.load(ordering: .relaxed)) }

  override func pendingClose() -> PendingClose? {
    let made = unsafe existingState?.inner.pointer(to: Service.self) ?? instance.pointer(to: Service.self)
    guard let closing = factory.closing, let made = unsafe made else { return nil }
    return closing.work(on: unsafe made.pointee)
  }

  override var limits: TimeLimits { factory.extras?.limits ?? TimeLimits() }

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

  /// Whether one instance serves every later request, whatever its arguments.
  var isMadeOnce: Bool { (kind == .lazySingleton || kind == .singleton) && existingState?.template == nil }

  /// What records what the factory asks for, if that is not this.
  private var template: (any EntryPart)? { registeredCell ?? existingState?.template }

  /// Soundness of the cast: `init(scopedFrom:at:)` alone says what is registered, and that is a cell of the same type.
  var registeredCell: Cell? {
    guard let registered else { return nil }
    return unsafe unsafeDowncast(registered, to: Cell.self)
  }

  var hasRun: Bool {
    if let registeredCell { return registeredCell.isKnown.load(ordering: .acquiring) }
    return template?.hasRun ?? isKnown.load(ordering: .acquiring)
  }
  var hasBeenConfigured: Bool {
    template?.hasBeenConfigured ?? isConfigurationKnown.load(ordering: .acquiring)
  }

  override func finishRecording(_ run: RunRecord?, isConfigured: Bool) {
    if let template { return template.finishRecording(run, isConfigured: isConfigured) }
    if let run, !run.isEmpty { state.record.withLock { $0.add(run) } }
    // Released, so that whoever sees it also sees what has been recorded.
    if isConfigured {
      isConfigurationKnown.store(true, ordering: .releasing)
    } else {
      isKnown.store(true, ordering: .releasing)
      let count = declaredRuns.load(ordering: .relaxed)
      if count < Self.declaredRunLimit { declaredRuns.store(count + 1, ordering: .relaxed) }
    }
    if withFactory({ $0.knowledge.isOpaque }) { trustDirect() }
  }
}
