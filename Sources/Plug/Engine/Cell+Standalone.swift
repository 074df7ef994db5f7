extension Cell {
  /// The instance, where the cell is not registered.
  @inlinable
  func standaloneInstance() throws(InjectorError) -> Service {
    if let built = unsafe instance.pointer(to: Service.self) { return unsafe built.pointee }
    return try makeStandalone()
  }

  @usableFromInline
  func makeStandalone() throws(InjectorError) -> Service {
    try Injector.ofStandalones.check(self)
    return try instance(for: .ofStandalones)
  }
}

extension Injector {
  /// The injector that stands for none: it is never closed, and nobody else has it. Whoever holds what is made there
  /// says how long it lives; so it counts as the shortest-lived of all.
  fileprivate static let ofStandalones = Injector(depth: .max)
}

/// A type of which each value makes what it gives itself, without an injector.
protocol Standalone {}

extension Lazy: Standalone {}

extension WeakLazy: Standalone {}
