import Synchronization

/// Stands for a service that is made from arguments, together with the types of these.
protocol AnyArgumentsKey: TypedKey {
  static var service: any Any.Type { get }
  static var arguments: [String] { get }
}

struct ArgumentsKey<Service: Sendable, First: Sendable, each Rest: Sendable>: AnyArgumentsKey {
  typealias Stored = ArgumentsEntry<Service, First, repeat each Rest>

  static var service: any Any.Type { Service.self }

  static var arguments: [String] {
    var names = [argumentName(First.self)]
    repeat names.append(argumentName((each Rest).self))
    return names
  }

  static func name(tag: String?) -> String {
    "\(typeName(Service.self))(\(arguments.joined(separator: ", ")))\(tag.map { " (tag \"\($0)\")" } ?? "")"
  }

  static func expression(tag: String?) -> String { "injector.\(name(tag: tag))" }
}

/// The type of an argument as it is written, because a value counts as its own type.
private func argumentName(_ type: any Any.Type) -> String {
  isExistential(type) ? "any \(typeName(type))" : typeName(type)
}

/// Stands for a provider that takes arguments, together with a tag that tells where it is declared, and its name.
struct ArgumentsProviderKey<Service: Sendable, First: Sendable, each Rest: Sendable>: TypedKey {
  typealias Stored = ArgumentsEntry<Service, First, repeat each Rest>

  static func name(tag: String?) -> String { ProviderKey<Service>.name(tag: tag) }

  static func expression(tag: String?) -> String { ProviderKey<Service>.expression(tag: tag).dropLast() + "…)" }
}

/// What is registered for a service that is made from arguments.
///
/// Soundness of the unchecked conformance: immutable, or guarded.
final class ArgumentsEntry<Service: Sendable, First: Sendable, each Rest: Sendable>: AnyEntry, @unchecked Sendable {
  typealias Make = @Sendable (First, repeat each Rest, Injector) throws -> Service

  private let make: Make
  let isolation: FactoryIsolation
  private let kind: Lifetime
  private let sharing: Sharing?
  private let record = Guarded(Record())

  /// - Parameter sharing: How instances are kept, unless they are made anew.
  init(
    _ make: @escaping @isolated(any) @Sendable (First, repeat each Rest, Injector) throws -> Service,
    _ lifetime: Lifetime, sharing: Sharing? = nil, subject: Subject
  ) {
    isolation = FactoryIsolation(make.isolation)
    self.make = erasingIsolation(ofMaker: make)
    self.sharing = lifetime.isKept ? sharing : nil
    kind = lifetime
    super.init(subject: subject, isClosable: false)
  }

  override var lifetime: Lifetime? { kind }
  override var parts: [AnyEntry] { [self] }
  override var decoratedKey: ServiceKey? { ServiceKey(Service.self, tag) }
  override var knowledge: Knowledge { .opaque }
  override var recorded: Record { record.withLock { $0 } }

  override func note(_ dependency: Dependency) {
    record.withLock { $0.note(dependency) }
  }

  override func finishRecording(isConfigured: Bool) {
    isKnown.store(true, ordering: .releasing)
  }

  func instance(
    _ first: First, _ rest: repeat each Rest, for injector: Injector
  ) throws(InjectorError) -> Service {
    guard let sharing else { return try makeCell(first, repeat each rest, for: injector).instance(for: injector) }
    if kind == .scoped {
      try injector.refuseCapture(of: self, keptAt: max(injector.depth, 1))
      if injector.parent == nil { throw .scopeRequired(InjectorError.Facts(about: subject, in: injector)) }
    }
    let keeper = kind == .scoped ? injector : injector.owner(of: subject)
    guard let cells = keeper.argumentCells(of: self, orKeep: sharing.makeCells) else {
      throw injector.closed(subject.service, tag)
    }
    let make = { self.makeCell(first, repeat each rest, for: keeper) }
    return try sharing.instance(cells, make, injector, first, repeat each rest).get()
  }

  private func makeCell(_ first: First, _ rest: repeat each Rest, for injector: Injector) -> Cell<Service> {
    let make = make
    let core = Injection<Service>.Factory.Core(
      .from { injector in try apply(make, first, repeat each rest, injector) }, isolation: isolation)
    let decorations = injector.registrations.allDecorations(of: Service.self, tag)
    return Cell(Injection.Factory(core).decorated(by: decorations), kind, madeBy: self)
  }

  /// How cells are kept, one for equal arguments.
  struct Sharing: Sendable {
    typealias Find =
      @Sendable (
        _ cells: AnyArgumentCells, _ make: () -> Cell<Service>, Injector, First, repeat each Rest
      ) -> Result<Service, InjectorError>

    let makeCells: @Sendable () -> AnyArgumentCells
    let instance: Find
  }
}

extension ArgumentsEntry.Sharing where First: Hashable, repeat each Rest: Hashable {
  /// Soundness of the cast: what an injector keeps under the identity of an entry has been made by `makeCells` of that.
  static var equalArguments: Self {
    let find: Find = { (cells, make, injector, first: First, rest: repeat each Rest) in
      unsafe unsafeDowncast(cells, to: ArgumentCells<Service, First, repeat each Rest>.self)
        .instance(ArgumentValues(first, repeat each rest), orMake: make, for: injector)
    }
    return Self(makeCells: { ArgumentCells<Service, First, repeat each Rest>() }, instance: find)
  }
}

/// Calls a function whose parameters are not all of one pack, which a direct call cannot.
private func apply<each Input, Output>(
  _ function: (repeat each Input) throws -> Output, _ input: repeat each Input
) rethrows -> Output {
  try function(repeat each input)
}

/// Arguments that are compared whole.
struct ArgumentValues<First: Hashable & Sendable, each Rest: Hashable & Sendable>: Hashable, Sendable {
  private let first: First
  private let rest: (repeat each Rest)

  init(_ first: First, _ rest: repeat each Rest) {
    self.first = first
    self.rest = (repeat each rest)
  }

  static func == (one: Self, other: Self) -> Bool {
    guard one.first == other.first else { return false }
    for (argument, another) in repeat (each one.rest, each other.rest) {
      guard argument == another else { return false }
    }
    return true
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(first)
    repeat hasher.combine(each rest)
  }
}

/// The cells that an injector keeps for one entry, whatever its arguments.
class AnyArgumentCells: @unchecked Sendable {
  // Soundness of the unchecked conformance: this class has no state, and its subclass states its own.

  /// Forgets cells.
  func remove(_ cells: Set<ObjectIdentifier>) {}

  /// Whether there is any.
  var isEmpty: Bool { true }
}

/// The cells that an injector keeps for one entry, by arguments. One that has no instance stays only while someone asks
/// it for one.
///
/// Soundness of the unchecked conformance: all state is guarded.
final class ArgumentCells<
  Service: Sendable, First: Hashable & Sendable, each Rest: Hashable & Sendable
>: AnyArgumentCells, @unchecked Sendable {
  private struct Kept {
    let cell: Cell<Service>
    var askers = 0
  }

  private let kept = Guarded<[ArgumentValues<First, repeat each Rest>: Kept]>([:])

  func instance(
    _ values: ArgumentValues<First, repeat each Rest>, orMake make: () -> Cell<Service>, for injector: Injector
  ) -> Result<Service, InjectorError> {
    let cell = begin(values) ?? begin(values, make())
    let result = Result { () throws(InjectorError) in try cell.instance(for: injector) }
    end(values, cell)
    return result
  }

  private func begin(_ values: ArgumentValues<First, repeat each Rest>) -> Cell<Service>? {
    kept.withLock { kept in
      kept[values]?.askers += 1
      return kept[values]?.cell
    }
  }

  private func begin(_ values: ArgumentValues<First, repeat each Rest>, _ fresh: Cell<Service>) -> Cell<Service> {
    kept.withLock { kept in
      kept[values, default: Kept(cell: fresh)].askers += 1
      return kept[values]?.cell ?? fresh
    }
  }

  private func end(_ values: ArgumentValues<First, repeat each Rest>, _ cell: Cell<Service>) {
    kept.withLock { kept in
      guard kept[values]?.cell === cell else { return }
      kept[values]?.askers -= 1
      if kept[values]?.askers == 0, !cell.hasInstance { kept[values] = nil }
    }
  }

  override func remove(_ cells: Set<ObjectIdentifier>) {
    let removed = kept.withLock { kept in
      let removed = kept.filter { cells.contains(ObjectIdentifier($1.cell)) }
      for values in removed.keys { kept[values] = nil }
      return removed
    }
    withExtendedLifetime(removed) {}
  }

  override var isEmpty: Bool { kept.withLock { $0.isEmpty } }
}
