import Synchronization

extension Cell {
  /// The instance, where the cell is not registered.
  @inlinable
  func standaloneInstance() throws(InjectorError) -> Service {
    if Attention.shared.isDemanded { return try isolated().makeStandalone() }
    if let built = unsafe instance.pointer(to: Service.self) { return unsafe built.pointee }
    return try makeStandalone()
  }

  @usableFromInline
  func makeStandalone() throws(InjectorError) -> Service {
    try Injector.ofStandalones.check(self)
    if let actor = factory.extras?.loader?.actor {
      throw .actorUnsupported(InjectorError.Facts(about: subject, in: .ofStandalones), actor: actor)
    }
    return try instance(for: .ofStandalones)
  }
}

extension Cell {
  /// The cell of the sandbox that the calling task is in, where the cell is not registered.
  @usableFromInline
  func isolated() -> Cell {
    standIn(for: self) { Cell(copying: self) }
  }
}

extension Selector {
  /// The winner, where the selector is not registered.
  @inlinable
  func firstStandalone(in context: Context) throws(InjectorError) -> Service? {
    let injector = Injector.default
    guard injector.registrations.attention.isDemanded else { return try first(in: context, for: injector) }
    return try isolated().first(in: context, for: injector.isolated())
  }

  /// All that apply, where the selector is not registered.
  @inlinable
  func allStandalone(in context: Context) throws(InjectorError) -> [Service] {
    let injector = Injector.default
    guard injector.registrations.attention.isDemanded else { return try all(in: context, for: injector) }
    return try isolated().all(in: context, for: injector.isolated())
  }

  /// The selector of the sandbox that the calling task is in, where the selector is not registered.
  @usableFromInline
  func isolated() -> Selector {
    standIn(for: self) { Selector(self, isCopy: true) { Cell(copying: $0) } }
  }
}

/// What the calling task's sandbox has in place of an entry that is not registered.
private func standIn<Original: AnyEntry>(for entry: Original, _ make: () -> Original) -> Original {
  guard let sandbox = Sandbox.current else { return entry }
  entry.hasStandIns.store(true, ordering: .relaxed)
  return sandbox.standIn(for: entry, make)
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
