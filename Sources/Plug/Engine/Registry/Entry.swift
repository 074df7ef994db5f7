public import Synchronization

/// What a registry holds for one service, whatever its type.
///
/// Soundness of the unchecked conformance: immutable after `init`; subclasses state their own.
@usableFromInline
class AnyEntry: ResolutionStep, @unchecked Sendable {
  final var key: ServiceKey { declaration.key }
  final var location: CodeLocation { declaration.location }

  /// What makes the instances, in declared order: one part for each candidate.
  var parts: [any EntryPart] { [] }

  /// What chooses among the parts, if there are rules.
  var choice: Choice? { nil }

  /// What points are called by which this is chosen from, and what their rules need to be selected elsewhere.
  var pointIDs: [String] { [] }
  var prerequisites: [Prerequisite] { [] }

  /// What its rules look at outside of the program.
  var mentions: [Mention] { [] }

  /// How its candidates have been brought into order, if that is not by their priorities alone.
  var sort: CandidateSort? { nil }

  /// The id of the candidate that is selected in a context, for a rule of another service.
  func prerequisite<Context: Sendable>(in context: Context, for injector: Injector) throws(InjectorError) -> String? {
    Fallback.id
  }

  /// Why it gives what it gives in a context; `nil` if another type of context decides that.
  func explanation<Context: Sendable>(in context: Context, for injector: Injector) -> Explanation? { nil }

  /// Whether this is no registration, but the state of a property; and whether that has been set.
  var isState: Bool { false }
  var isSet: Bool { false }

  /// Ends the observations of the property that there are.
  func endObservations() {}

  /// Ends them for good, because the injector is closed.
  func end() {}

  /// Whether something is to be done when the injector gives an instance up.
  final let isClosable: Bool

  /// Whether a private copy has it from its original.
  final let isCopy: Bool

  /// Whether it may have to be recorded what is asked for when the instance is made.
  final let isRecorded: Bool

  init(declaration: consuming Declaration, isClosable: Bool, isCopy: Bool = false, isRecorded: Bool = false) {
    self.isClosable = isClosable
    self.isCopy = isCopy
    self.isRecorded = isRecorded
    super.init(declaration: declaration)
  }

  /// The same for a scope.
  init(like registered: AnyEntry, isClosable: Bool) {
    self.isClosable = isClosable
    isCopy = false
    isRecorded = registered.isRecorded
    super.init(like: registered)
  }

  /// What is registered, if this is the cell of a scope for it, or, of the state of a property, that further out.
  ///
  /// Soundness of the cast: `init(like:isClosable:)` alone makes an entry that is like another step.
  final var registered: AnyEntry? { original.map { unsafe unsafeDowncast($0, to: AnyEntry.self) } }

  /// Whether there may be others in its place in sandboxes.
  final let hasIsolatedObjects = Atomic(false)

  deinit {
    if hasIsolatedObjects.load(ordering: .relaxed) { IsolatedObjects.forget(ObjectIdentifier(self)) }
  }

  /// The same for a private copy, as if it had never been asked for. An instance that was handed in is the same.
  func copied() -> AnyEntry { self }

  /// The same without what a module has registered; `nil` if nothing is left.
  func without(_ module: ModuleNumber) -> AnyEntry? { declaration.module == module ? nil : self }

  /// The same with cells that begin anew in place of those whose instances have been given up.
  func renewing(_ cells: Set<ObjectIdentifier>) -> AnyEntry { self }

  /// What a scope has in place of this, which is registered further out.
  ///
  /// - Parameter known: Gives what it has already in place of a cell.
  func overlaid(
    by decorations: [AnyDecoration], in level: Int32, known: (AnyEntry) -> AnyEntry?
  ) -> AnyEntry { self }

  /// The same with instances that are wrapped, in declared order, by what does not wrap them yet.
  func decorated(by decorations: [AnyDecoration]) -> AnyEntry { self }

  /// Whether it has an instance to be closed that was handed in.
  var isHandedIn: Bool { false }

  /// What an injector that keeps it knows it by: an instance that was handed in stays the same when it is decorated.
  var keptAs: ObjectIdentifier { ObjectIdentifier(self) }

  /// Whether this is kept for one of these that are registered: it is that, or in its place for a scope or arguments.
  func isKept(for registered: Set<ObjectIdentifier>) -> Bool { registered.contains(keptAs) }

  /// How deep the injector lies that keeps what is made here: the one in which this is registered, or the scope that
  /// has it in place of what is. The deepest, if there is none.
  @usableFromInline final let level = Atomic<Int32>(.max)

  /// It is registered from now on, in an injector that lies so deep.
  func settle(at depth: Int32) { level.store(depth, ordering: .relaxed) }

  /// Decides whether another takes its place.
  func settle(as status: EntryStatus) {
    hasBeenReplaced.store(status == .replaced, ordering: .sequentiallyConsistent)
  }

  private let hasBeenReplaced = Atomic(false)

  /// Whether the registration has gone, or another has taken its place: then nothing new is kept.
  final var isReplaced: Bool { hasBeenReplaced.load(ordering: .sequentiallyConsistent) }

  /// The shared instance, if there is one and it has been made: a value of the service's own type.
  @usableFromInline final let instance = Published()

  /// Who makes the shared instance: `nobody`, `anAttempt`, or the address of a thread's context, see `Making`.
  final let maker = Atomic<UInt>(Making.nobody)

  /// Whether scopes have cells of their own for this: then it stays what it is until another takes its place.
  final let hasOwnCells = Atomic(false)

  /// Lets scopes have cells of their own for this; one that is registered as scoped.
  ///
  /// - Returns: `false` if another has taken its place, or is about to.
  final func beginOwnCell() -> Bool {
    hasOwnCells.load(ordering: .acquiring) && !isReplaced || beginFirstOwnCell()
  }

  /// The same, where no scope has one yet.
  func beginFirstOwnCell() -> Bool { false }

  /// Whether it has to be recorded what the factory asks for.
  var needsRecord: Bool { false }

  /// The cell in which a scope keeps its own instance of this, which is registered as scoped.
  ///
  /// - Parameters:
  ///   - instance: Where the instance is, if there is one, which the cell takes.
  ///   - memory: What that is in.
  func makeOwnCell(
    at depth: Int32, with instance: UnsafeMutableRawPointer? = nil, in memory: InstanceMemory? = nil
  ) -> AnyEntry? { nil }

  /// Ends an instance of this that has no cell.
  func endInstance(at place: UnsafeMutableRawPointer, in memory: InstanceMemory) {}

  /// Keeps what a run has asked for, which has succeeded; `nil` is nothing.
  func finishRecording(_ run: RunRecord?, isConfigured: Bool) {}

  /// Keeps the instance that has been made.
  ///
  /// - Parameter publish: Makes that the one that everyone gets.
  /// - Returns: Why the instance cannot be kept; then it has been closed.
  func finishMaking(in injector: Injector, _ publish: () -> Void) -> InjectorError? {
    publish()
    return nil
  }

  /// Tells those who have come meanwhile how the making has ended.
  func endAttempt(_ failure: InjectorError?, in injector: Injector) {}

  /// The key under which the decorators of its instances are kept, if that is another than its own.
  var decoratedKey: ServiceKey? { nil }

  /// What that is, if there is an instance.
  func pendingClose() -> PendingClose? { nil }

  /// How long loading and closing may take.
  var limits: TimeLimits { TimeLimits() }

  /// Whether a switch names one of the candidates.
  func isSwitched(by entry: Switches.Switch) -> Bool { false }

  /// The candidates with the points around them, as a switch names them.
  var candidatePaths: [String] { [] }

}

/// What a registry holds for one service: a `Cell` for a registration without a rule, or a `Selector`.
///
/// Soundness of the unchecked conformance: immutable after `init`, but for `instance`, which is `Sendable`.
@safe
@usableFromInline
class Entry<Service: Sendable>: AnyEntry, @unchecked Sendable {
  /// The factory of an instance that needs no configuration and can be made anywhere: one that is new each time, the
  /// shared one of the injector in which this is registered, or that of each scope.
  ///
  /// Soundness: this is the address of a `Factory.Core` of the same service, which the cell holds, or what it is like
  /// does. It is not typed, because that would take a search for metadata at each registration.
  @usableFromInline final let direct: UnsafeRawPointer?

  /// Whether `direct` may be called: for an instance that is new each time, not before it is known what it asks for.
  @usableFromInline final let isDirect: Atomic<Bool>

  /// Whether `direct` makes the shared instance.
  @usableFromInline final let makesShared: Bool

  /// Whether each scope makes an instance of its own of this, in a cell of its own.
  @usableFromInline final let isTemplate: Bool

  /// Whether these need no cell, as a rule: there is nothing to do but to call the factory.
  @usableFromInline final let isInPlace: Bool

  /// Whether it chooses among candidates.
  @usableFromInline final let isSelector: Bool

  init(
    direct: UnsafeRawPointer?, makesShared: Bool = false, isTemplate: Bool = false, declaration: consuming Declaration,
    isClosable: Bool, isCopy: Bool = false, isSelector: Bool = false, isRecorded: Bool = false
  ) {
    unsafe self.direct = unsafe direct
    self.makesShared = unsafe makesShared && direct != nil
    isDirect = Atomic(self.makesShared)
    self.isTemplate = isTemplate
    isInPlace = unsafe isTemplate && direct != nil && !isClosable && ThreadMakings.canCopy(Service.self)
    self.isSelector = isSelector
    super.init(declaration: declaration, isClosable: isClosable, isCopy: isCopy, isRecorded: isRecorded)
  }

  /// The cell of a scope for what is registered, which makes a shared instance.
  init(like registered: Entry) {
    unsafe direct = unsafe registered.direct
    makesShared = unsafe direct != nil
    isDirect = Atomic(makesShared)
    (isTemplate, isInPlace, isSelector) = (false, false, false)
    super.init(like: registered, isClosable: registered.isClosable)
  }

  final func trustDirect() {
    isDirect.store(unsafe direct != nil && !isTemplate, ordering: .relaxed)
  }

  deinit {
    // Looked at first: the type's metadata is seldom at hand.
    if !instance.isEmpty { instance.destroy(Service.self) }
  }

  /// Runs the factory. Only if it is direct.
  @inlinable
  @inline(__always)
  final func makeDirectly(for injector: Injector) throws -> Service {
    let core = unsafe Unmanaged<Injection<Service>.Factory.Core>.fromOpaque(direct.unsafelyUnwrapped)
    return try unsafe core._withUnsafeGuaranteedRef { core in try core.make(injector) }
  }

  /// The shared instance, or a new one, as the injection of what is chosen says.
  @inlinable
  final func instance(for injector: Injector) throws(InjectorError) -> Service {
    if let built = unsafe instance.pointer(to: Service.self) { return unsafe built.pointee }
    return try make(for: injector)
  }

  /// An instance, where none exists.
  @inlinable
  final func make(for injector: Injector) throws(InjectorError) -> Service {
    if injector.registrations.isWatched { return try request(for: injector) }
    let entry: AnyEntry = self
    defer { withExtendedLifetime(entry) {} }
    return try unsafe Resolution.make(Unmanaged.passUnretained(self), for: injector)
  }

  /// Publishes an instance that has been made when all that its session leaves has been done.
  @usableFromInline
  func publishLater(_ service: Service, _ making: Making, for injector: Injector) throws(InjectorError) {}

  @usableFromInline
  func request(for injector: Injector) throws(InjectorError) -> Service {
    throw .notRegistered(InjectorError.Facts(about: declaration, in: injector))
  }

  /// The winner; `nil` if no candidate applies.
  @usableFromInline
  func first(for injector: Injector) throws(InjectorError) -> Service? { nil }

  @usableFromInline
  func all(for injector: Injector) throws(InjectorError) -> [Service] { try identified(for: injector).map(\.service) }

  /// All that apply, in order, with the ids of the candidates.
  func identified(for injector: Injector) throws(InjectorError) -> [(id: String, service: Service)] { [] }

  /// The id of the candidate that is chosen.
  func winner(for injector: Injector) throws(InjectorError) -> String? { Fallback.id }

  func explain(for injector: Injector) throws(InjectorError) -> Explanation {
    Explanation(sole: self, context: "any context")
  }
}
