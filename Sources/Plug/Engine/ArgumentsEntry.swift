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
  private let comparable: MakeComparable?
  private let record = Guarded(Record())

  /// - Parameter comparable: Makes arguments comparable, if one instance is kept for equal ones.
  init(
    _ make: @escaping @isolated(any) @Sendable (First, repeat each Rest, Injector) throws -> Service,
    _ lifetime: Lifetime, comparable: MakeComparable? = nil, subject: Subject
  ) {
    isolation = FactoryIsolation(make.isolation)
    self.make = erasingIsolation(ofMaker: make)
    self.comparable = lifetime.isKept ? comparable : nil
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

  /// Soundness of the cast: what an injector keeps under the identity of this entry is made here.
  func instance(
    _ first: First, _ rest: repeat each Rest, for injector: Injector
  ) throws(InjectorError) -> Service {
    guard let comparable else { return try makeCell(first, repeat each rest, for: injector).instance(for: injector) }
    if kind == .scoped {
      try injector.refuseCapture(of: self, keptAt: max(injector.depth, 1))
      if injector.parent == nil { throw .scopeRequired(InjectorError.Facts(about: subject, in: injector)) }
    }
    let keeper = kind == .scoped ? injector : injector.owner(of: subject)
    guard let cells = keeper.argumentCells(of: self, orKeep: { ArgumentCells<Service>() }) else {
      throw injector.closed(subject.service, tag)
    }
    return try unsafe unsafeDowncast(cells, to: ArgumentCells<Service>.self)
      .instance(comparable(first, repeat each rest), for: injector) {
        makeCell(first, repeat each rest, for: keeper)
      }
  }

  private func makeCell(_ first: First, _ rest: repeat each Rest, for injector: Injector) -> Cell<Service> {
    let make = make
    let core = Injection<Service>.Factory.Core(
      .from { injector in try apply(make, first, repeat each rest, injector) }, isolation: isolation)
    let decorations = injector.registrations.allDecorations(of: Service.self, tag)
    return Cell(Injection.Factory(core).decorated(by: decorations), kind, madeBy: self)
  }

  typealias MakeComparable = @Sendable (First, repeat each Rest) -> AnyArguments
}

/// Calls a function whose parameters are not all of one pack, which a direct call cannot.
private func apply<each Input, Output>(
  _ function: (repeat each Input) throws -> Output, _ input: repeat each Input
) rethrows -> Output {
  try function(repeat each input)
}
