import Synchronization

#if canImport(Darwin)
  import Darwin
#endif

/// The actor that a closure belongs to.
enum FactoryIsolation: Sendable {
  case none
  case mainActor
  /// Another actor, by its type. A synchronous request cannot run there.
  case unsupported(any Any.Type)

  init(_ actor: (any Actor)?) {
    switch actor {
    case nil: self = .none
    case is MainActor: self = .mainActor
    case .some(let other): self = .unsupported(Swift.type(of: other))
    }
  }

  /// The isolation of code that needs both.
  func joined(with other: Self) -> Self { isNone || other.unsupportedActor != nil ? other : self }

  var isNone: Bool { if case .none = self { true } else { false } }
  var isMainActor: Bool { if case .mainActor = self { true } else { false } }
  var unsupportedActor: String? { if case .unsupported(let actor) = self { String(describing: actor) } else { nil } }
}

/// Returns a function without its dynamic isolation, to be called synchronously.
///
/// Soundness: a synchronous `@isolated(any)` function (SE-0431) is an ordinary thick function whose context also
/// records an actor; the type differs, the calling convention does not. `MainActor.assumeIsolated` of the standard
/// library relies on this cast. The structs keep both functions at one level of abstraction. The callers check
/// what the type system no longer checks: a recipe keeps the actor next to the function, registration refuses every
/// actor but the main one, and a main-actor function is called only after `isOnMainActor()` has returned `true`.
@inlinable
func erasingIsolation<each Argument, Result>(
  of function: @escaping @isolated(any) @Sendable (repeat each Argument) throws -> Result
) -> @Sendable (repeat each Argument) throws -> Result {
  unsafe unsafeBitCast(
    Isolated<repeat each Argument, Result>(call: function), to: Nonisolated<repeat each Argument, Result>.self
  ).call
}

/// A factory with its dynamic isolation.
@usableFromInline
enum IsolatedFactory<Service> {
  case plain(@isolated(any) @Sendable () throws -> Service)
  case injected(@isolated(any) @Sendable (Injector) throws -> Service)
}

/// Returns a factory without its dynamic isolation, as above. A pack would put a thunk around each factory in users'
/// modules, while the two enums have the same cases, with functions of one representation.
@inlinable
func erasingIsolation<Service>(of factory: IsolatedFactory<Service>) -> Recipe<Service>.Factory {
  unsafe unsafeBitCast(factory, to: Recipe<Service>.Factory.self)
}

/// A function in a struct, which keeps its representation when the struct is cast to the other one.
@usableFromInline
struct Isolated<each Argument, Result> {
  @usableFromInline let call: @isolated(any) @Sendable (repeat each Argument) throws -> Result

  @inlinable
  init(call: @escaping @isolated(any) @Sendable (repeat each Argument) throws -> Result) { self.call = call }
}

@usableFromInline
struct Nonisolated<each Argument, Result> {
  @usableFromInline let call: @Sendable (repeat each Argument) throws -> Result
}

/// Whether the calling code runs on the main actor. The check does not trap.
///
/// On Apple platforms, the main actor is the main thread. Elsewhere any thread may serve it, so the runtime is asked.
func isOnMainActor() -> Bool {
  #if canImport(Darwin)
    return pthread_main_np() != 0
  #else
    return MainActorProbe.isOnMainActor
  #endif
}

#if !canImport(Darwin)
  /// Asks Swift's runtime which actor is current.
  private enum MainActorProbe {
    private typealias IsCurrent = @convention(c) (UInt, UInt, UInt64) -> Bool

    /// The function by which `Task.immediate` checks whether it may run its closure immediately (SE-0472).
    ///
    /// Soundness of the cast: the runtime declares `bool swift_task_isCurrentExecutorWithFlags(SerialExecutorRef,
    /// uint64_t)` with two words for the executor. Swift's calling convention passes and returns plain integers as C's.
    private static let isCurrent = unsafe systemFunction("swift_task_isCurrentExecutorWithFlags", as: IsCurrent.self)

    /// Soundness of the cast: `UnownedSerialExecutor` is frozen, and consists of the two words.
    private static let mainExecutor = unsafe unsafeBitCast(MainActor.sharedUnownedExecutor, to: (UInt, UInt).self)

    static var isOnMainActor: Bool {
      guard let isCurrent else { return runsAtOnce }
      return isCurrent(mainExecutor.0, mainExecutor.1, 0)
    }

    /// The answer where the runtime is a part of the program, so that the symbol is not found: an immediate task of the
    /// main actor runs before `Task.immediate` returns exactly if the caller is on the main actor.
    private static var runsAtOnce: Bool {
      let caller = ThreadStack.current.with { $0.work }
      let ranHere = Flag()
      Task.immediate { @MainActor in
        if ThreadStack.current.with({ $0.work }) == caller { ranHere.value.store(true, ordering: .relaxed) }
      }
      return ranHere.value.load(ordering: .relaxed)
    }

    private final class Flag: Sendable {
      let value = Atomic(false)
    }
  }
#endif
