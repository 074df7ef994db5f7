public import Synchronization

/// What is registered for a service that is made from arguments.
///
/// Soundness of the unchecked conformance: immutable, or guarded.
@usableFromInline
final class ArgumentsEntry<Service: Sendable, First: Sendable, each Rest: Sendable>: AnyEntry, EntryPart,
  @unchecked Sendable
{
  @usableFromInline typealias Make = @Sendable (First, repeat each Rest, Injector) throws -> Service

  @usableFromInline let make: Make

  /// Whether `make` may be called just so: nothing is kept, it can be called anywhere, and it is known what it asks
  /// for.
  @usableFromInline let isDirect = Atomic(false)

  let isolation: FactoryIsolation
  let knowledge: Knowledge
  private let kind: Lifetime
  private let makeComparable: ArgumentsLifetime<First, repeat each Rest>.MakeComparable?
  private let record = Guarded(Record())
  private let isKnown = Atomic(false)

  /// The cells of the injector in which this is registered, which threads of a server find here without its lock.
  private let nearCells = PublishedObject()

  /// - Parameter dependencies: What the closure declares to ask for; `nil` if that is unknown.
  init(
    _ make: @escaping @isolated(any) @Sendable (First, repeat each Rest, Injector) throws -> Service,
    _ lifetime: ArgumentsLifetime<First, repeat each Rest>, dependencies: [any Any.Type]? = nil,
    declaration: Declaration
  ) {
    isolation = FactoryIsolation(make.isolation)
    knowledge = dependencies.map { services in .declared(services.map { ServiceKey($0, nil) }) } ?? .opaque
    self.make = erasingIsolation(ofMaker: make)
    kind = lifetime.kind
    makeComparable = lifetime.makeComparable
    super.init(declaration: declaration, isClosable: false)
  }

  /// One that begins anew: that of a private copy.
  private init(copying template: ArgumentsEntry) {
    make = template.make
    isolation = template.isolation
    knowledge = template.knowledge
    kind = template.kind
    makeComparable = template.makeComparable
    super.init(declaration: template.declaration, isClosable: false, isCopy: true)
    let known = template.recorded
    record.withLock { $0 = known }
    isKnown.store(template.hasRun, ordering: .releasing)
    isDirect.store(template.isDirect.load(ordering: .relaxed), ordering: .relaxed)
  }

  deinit { nearCells.destroy() }

  override func copied() -> AnyEntry { ArgumentsEntry(copying: self) }
  override var lifetime: Lifetime? { kind }
  override var parts: [any EntryPart] { [self] }
  override var decoratedKey: ServiceKey? { ServiceKey(Service.self, tag) }
  var recorded: Record { record.withLock { $0 } }
  var hasRun: Bool { isKnown.load(ordering: .acquiring) }

  override func finishRecording(_ run: RunRecord?, isConfigured: Bool) {
    if let run { record.withLock { $0.add(run) } }
    isKnown.store(true, ordering: .releasing)
    isDirect.store(kind == .factory && isolation == .none, ordering: .relaxed)
  }

  /// The instance that is kept for these arguments, or a new one.
  @inlinable
  func instance(
    _ first: First, _ rest: repeat each Rest, for injector: Injector
  ) throws(InjectorError) -> Service {
    let registrations = injector.registrations
    guard isDirect.load(ordering: .relaxed), !registrations.isWatched, !registrations.isDecorated else {
      return try request(first, repeat each rest, for: injector)
    }
    let (step, make) = unsafe (Unmanaged<ResolutionStep>.passUnretained(self), make)
    return try unsafe Resolution.make(step, for: injector) { injector in
      try apply(make, first, repeat each rest, injector)
    }
  }

  @usableFromInline
  func request(
    _ first: First, _ rest: repeat each Rest, for injector: Injector
  ) throws(InjectorError) -> Service {
    guard let makeComparable else {
      return try makeCell(first, repeat each rest, for: injector).instance(for: injector)
    }
    if kind == .scoped {
      try injector.refuseCapture(of: self, keptAt: max(injector.depth, 1))
      if !injector.isScope { throw .scopeRequired(InjectorError.Facts(about: declaration, in: injector)) }
    }
    let (keeper, arguments) = (keeper(for: injector), makeComparable(first, repeat each rest))
    while let cells = cells(in: keeper) {
      let instance = try cells.instance(arguments, for: injector) {
        makeKeptCell(first, repeat each rest, for: keeper)
      }
      if let instance { return instance }
    }
    if keeper.registrations.isClosed { throw injector.closed(declaration.key) }
    return try requestSuccessor(first, repeat each rest, for: injector, keeper)
  }

  /// - Returns: `nil` if the injector has been closed, or this has gone.
  private func cells(in keeper: Injector) -> ArgumentCells? {
    if let near = nearCells.object(ArgumentCells.self), near.keeper == keeper.identity, !near.hasEnded { return near }
    let depth = level.load(ordering: .relaxed)
    let found = keeper.argumentCells(of: self, noteFrom: kind == .scoped ? depth : depth + 1)
    if let found, kind != .scoped, !wraps(in: keeper) { nearCells.publish(found) }
    return found
  }

  /// Asks what has taken the place of this; if a key has lost its override, nothing has, and the instance is not kept.
  ///
  /// Soundness of the cast: what is stored under the same key is of the same class.
  private func requestSuccessor(
    _ first: First, _ rest: repeat each Rest, for injector: Injector, _ keeper: Injector
  ) throws(InjectorError) -> Service {
    guard let successor = try injector.registered(inPlaceOf: self) else {
      return try makeKeptCell(first, repeat each rest, for: keeper).instance(for: injector)
    }
    return try unsafe unsafeDowncast(successor, to: ArgumentsEntry.self)
      .instance(first, repeat each rest, for: injector)
  }

  /// The injector that keeps the instance: the one in which this is registered, or the innermost scope that wraps it.
  private func keeper(for injector: Injector) -> Injector {
    if kind == .scoped { return injector }
    var keeper = injector
    while wraps(in: keeper), keeper.registrations.decorations(of: ServiceKey(Service.self, tag)).isEmpty,
      let outer = keeper.parent
    {
      keeper = outer
    }
    return keeper
  }

  /// Whether an instance that an injector keeps wraps another, which lies further out.
  private func wraps(in keeper: Injector) -> Bool {
    kind != .scoped && keeper.depth > level.load(ordering: .relaxed)
  }

  private func makeCell(_ first: First, _ rest: repeat each Rest, for injector: Injector) -> Cell<Service> {
    let make = make
    let core = Injection<Service>.Factory.Core(
      .from { injector in try apply(make, first, repeat each rest, injector) }, isolation: isolation)
    let decorations = injector.registrations.allDecorations(of: Service.self, tag)
    return Cell(Injection.Factory(core).decorated(by: decorations), kind, madeBy: self)
  }

  /// Makes the cell of the injector that keeps the instance: of a scope one that wraps what is kept further out.
  private func makeKeptCell(_ first: First, _ rest: repeat each Rest, for scope: Injector) -> Cell<Service> {
    if !wraps(in: scope) { return makeCell(first, repeat each rest, for: scope) }
    let core = Injection<Service>.Factory.Core(
      .from { [self] scope in try request(first, repeat each rest, for: scope.parent ?? scope) })
    let decorations = scope.registrations.decorations(of: Service.self, tag)
    let cell = Cell(Injection.Factory(core).decorated(by: decorations), kind, madeBy: self)
    cell.settle(at: scope.depth)
    return cell
  }
}

/// What it makes is kept by other cells, by arguments.
extension ArgumentsEntry {
  var hasBeenConfigured: Bool { false }
  var needsSetup: Bool { false }
  var hasInstance: Bool { false }
  var decorators: [String] { [] }
  var loadable: (any LoadableCell)? { nil }
  func reserve(_ seen: inout [any Sendable]) -> Bool { true }

  func rehearse(for injector: Injector, with arguments: [any Sendable]) async throws(InjectorError) -> String? {
    let first: First
    let rest: (repeat each Rest)
    do throws(MissingArgument) {
      first = try find(First.self, in: arguments)
      rest = (repeat try find((each Rest).self, in: arguments))
    } catch {
      return typeName(error.type)
    }
    _ = try await injector.answering { injector throws(InjectorError) in
      try self.instance(first, repeat each rest, for: injector)
    }
    return nil
  }
}

private struct MissingArgument: Error {
  let type: any Any.Type
}

private func find<Argument>(_ type: Argument.Type, in values: [any Sendable]) throws(MissingArgument) -> Argument {
  for value in values { if let argument = value as? Argument { return argument } }
  throw MissingArgument(type: type)
}

/// Calls a function whose parameters are not all of one pack, which a direct call cannot.
@inlinable
func apply<each Input, Output>(
  _ function: (repeat each Input) throws -> Output, _ input: repeat each Input
) rethrows -> Output {
  try function(repeat each input)
}
