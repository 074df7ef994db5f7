/// The actor that a factory's closure belongs to.
enum FactoryIsolation: Sendable, Equatable {
  case none
  case mainActor
  case unsupported(String)

  init(_ actor: (any Actor)?) {
    switch actor {
    case nil: self = .none
    case is MainActor: self = .mainActor
    case .some(let other): self = .unsupported(String(describing: type(of: other)))
    }
  }

  /// What code needs that belongs to both; an unsupported one stays.
  func joined(with other: Self) -> Self {
    switch (self, other) {
    case (.none, _), (_, .unsupported): other
    default: self
    }
  }

  /// The name of an actor that a synchronous request cannot run on.
  var unsupportedActor: String? {
    if case .unsupported(let actor) = self { actor } else { nil }
  }
}

/// Returns the function without its dynamic isolation, to be called synchronously.
///
/// Soundness: a synchronous `@isolated(any)` function (SE-0431) is an ordinary thick function whose context also
/// records an actor; the type differs, the calling convention does not. `MainActor.assumeIsolated` in the standard
/// library relies on the same cast. The structs keep both functions at the same level of abstraction. What the type
/// system no longer checks, the callers do: a `Factory` keeps the actor next to the function, registration refuses
/// every actor but the main one, and `Cell` calls a main-actor function only after
/// `isOnMainActor()` has said yes.
@usableFromInline
func erasingIsolation<each Argument, Result>(
  of function: @escaping @isolated(any) @Sendable (repeat each Argument) throws -> Result
) -> @Sendable (repeat each Argument) throws -> Result {
  unsafe unsafeBitCast(
    Isolated<repeat each Argument, Result>(call: function), to: Nonisolated<repeat each Argument, Result>.self
  ).call
}

private struct Isolated<each Argument, Result> {
  let call: @isolated(any) @Sendable (repeat each Argument) throws -> Result
}

private struct Nonisolated<each Argument, Result> {
  let call: @Sendable (repeat each Argument) throws -> Result
}

/// As above, for the commonest functions: a parameter pack costs look-ups of metadata in each call.
func erasingIsolation<Result>(
  of function: consuming @escaping @isolated(any) @Sendable () throws -> Result
) -> @Sendable () throws -> Result {
  unsafe unsafeBitCast(IsolatedMaker(call: function), to: NonisolatedMaker<Result>.self).call
}

/// As above.
func erasingIsolation<Result>(
  of function: consuming @escaping @isolated(any) @Sendable (Injector) throws -> Result
) -> @Sendable (Injector) throws -> Result {
  unsafe unsafeBitCast(IsolatedResolver(call: function), to: NonisolatedResolver<Result>.self).call
}

/// As above, for what makes an instance from arguments.
func erasingIsolation<First, each Rest, Result>(
  ofMaker function: @escaping @isolated(any) @Sendable (First, repeat each Rest, Injector) throws -> Result
) -> @Sendable (First, repeat each Rest, Injector) throws -> Result {
  unsafe unsafeBitCast(
    IsolatedArgumentsMaker<First, repeat each Rest, Result>(call: function),
    to: NonisolatedArgumentsMaker<First, repeat each Rest, Result>.self
  ).call
}

private struct IsolatedArgumentsMaker<First, each Rest, Result> {
  let call: @isolated(any) @Sendable (First, repeat each Rest, Injector) throws -> Result
}

private struct NonisolatedArgumentsMaker<First, each Rest, Result> {
  let call: @Sendable (First, repeat each Rest, Injector) throws -> Result
}

private struct IsolatedMaker<Result> { let call: @isolated(any) @Sendable () throws -> Result }
private struct NonisolatedMaker<Result> { let call: @Sendable () throws -> Result }
private struct IsolatedResolver<Result> { let call: @isolated(any) @Sendable (Injector) throws -> Result }
private struct NonisolatedResolver<Result> { let call: @Sendable (Injector) throws -> Result }
