/// How long an instance made from arguments lives, and who shares it.
///
/// ```swift
/// try services.register(
///   as: Detail.self, taking: UserID.self, lifetime: .scoped
/// ) { id, injector in
///   Detail(id, store: try injector.get())
/// }
/// ```
///
/// Two requests share an instance if all of their arguments are equal, which must be `Hashable` for that. The instance
/// lives as long as the injector that keeps it. A lazy singleton therefore keeps as many instances as it has seen
/// different arguments.
public struct ArgumentsLifetime<First: Sendable, each Rest: Sendable>: Sendable {
  @usableFromInline let kind: Lifetime

  /// Makes arguments comparable, if one instance is kept for equal ones.
  @usableFromInline let makeComparable: MakeComparable?

  @usableFromInline typealias MakeComparable = @Sendable (First, repeat each Rest) -> AnyArguments

  @usableFromInline
  init(kind: Lifetime, makeComparable: MakeComparable?) {
    self.kind = kind
    self.makeComparable = makeComparable
  }

  /// A new instance for each request, owned by the caller.
  @inlinable public static var factory: Self { Self(kind: .factory, makeComparable: nil) }
}

extension ArgumentsLifetime where First: Hashable, repeat each Rest: Hashable {
  /// One instance per injector for equal arguments, from the first request until the injector is closed or reset.
  public static var lazySingleton: Self { Self(keeping: .lazySingleton) }

  /// One instance per scope for equal arguments, until the scope is closed.
  public static var scoped: Self { Self(keeping: .scoped) }

  private init(keeping kind: Lifetime) {
    self.init(kind: kind) { (first: First, rest: repeat each Rest) in Arguments(first, repeat each rest) }
  }
}
