/// How long an instance made from arguments lives, and which requests share it.
///
/// ```swift
/// try services.register(
///   Detail.self, taking: UserID.self, lifetime: .scoped
/// ) { id, injector in
///   Detail(id, store: try injector.get())
/// }
/// ```
///
/// Every lifetime except ``factory`` requires `Hashable` arguments: requests with equal arguments share an instance. An
/// instance lives as long as the injector that keeps it. A lazy singleton therefore keeps an instance for each distinct
/// list of arguments.
public struct ArgumentsLifetime<First: Sendable, each Rest: Sendable>: Sendable {
  @usableFromInline let kind: Lifetime
  /// `nil` if no instance is kept.
  @usableFromInline let equality: Maker.Equality?

  @inlinable
  init(_ kind: Lifetime, _ equality: Maker.Equality?) { (self.kind, self.equality) = (kind, equality) }

  /// A new instance for each request, owned by the caller.
  @inlinable public static var factory: Self { Self(.factory, nil) }
}

extension ArgumentsLifetime where First: Hashable, repeat each Rest: Hashable {
  /// One instance per injector for equal arguments, from the first request until the injector is closed or reset.
  @inlinable public static var lazySingleton: Self {
    Self(.lazySingleton, Maker.Equality(of: First.self, repeat (each Rest).self))
  }

  /// One instance per scope for equal arguments, until the scope is closed.
  @inlinable public static var scoped: Self { Self(.scoped, Maker.Equality(of: First.self, repeat (each Rest).self)) }
}

// Unavailable lifetimes, with which the compiler explains a likely mistake. `Tests/Refused` shows each one.

@available(*, unavailable, message: "equal arguments share an instance, so each of them has to be Hashable")
extension ArgumentsLifetime {
  /// Refuses arguments that cannot be compared.
  public static var lazySingleton: Self { fatalError() }

  /// Refuses arguments that cannot be compared.
  public static var scoped: Self { fatalError() }
}
