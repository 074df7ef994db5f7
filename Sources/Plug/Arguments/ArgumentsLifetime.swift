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
  let kind: Lifetime

  /// What tells equal arguments; `nil` if none are kept for.
  let identify: Identify?

  typealias Identify = @Sendable (First, repeat each Rest) -> [any Hashable & Sendable]

  /// A new instance for each request, owned by the caller.
  public static var factory: Self { Self(kind: .factory, identify: nil) }
}

extension ArgumentsLifetime where First: Hashable, repeat each Rest: Hashable {
  /// One instance per injector for equal arguments, from the first request until the injector is closed or reset.
  public static var lazySingleton: Self { Self(keeping: .lazySingleton) }

  /// One instance per scope for equal arguments, until the scope is closed.
  public static var scoped: Self { Self(keeping: .scoped) }

  /// One instance for equal arguments, for as long as anything else holds it.
  public static var weakSingleton: Self { Self(keeping: .weakSingleton) }

  private init(keeping kind: Lifetime) {
    self.init(kind: kind) { (first: First, rest: repeat each Rest) in
      var values: [any Hashable & Sendable] = [first]
      repeat values.append(each rest)
      return values
    }
  }
}
