public import Synchronization

extension Cell {
  /// The instance, where the cell is not registered.
  @inlinable
  func standaloneInstance() throws(InjectorError) -> Service {
    if Instrumentation.shared.isActive { return try isolated().makeStandalone() }
    if let built = unsafe instance.pointer(to: Service.self) { return unsafe built.pointee }
    return try makeStandalone()
  }

  @usableFromInline
  func makeStandalone() throws(InjectorError) -> Service {
    try Injector.ofStandalones.check(self, isLoadable: false)
    return try instance(for: .ofStandalones)
  }
}

extension Cell {
  /// Whether it belongs to no injector: then its instance lives as long as the cell.
  var isStandalone: Bool { level.load(ordering: .relaxed) == .max }

  /// Closes the instance, because what it belongs to goes. What was handed in stays.
  func closeAtEnd() {
    guard kind != .singleton, let work = pendingClose(), work.runNow() == nil else { return }
    Task { _ = await work.run() }
  }

  /// The cell of the sandbox that the calling task is in, where the cell is not registered.
  @usableFromInline
  func isolated() -> Cell {
    isolatedObject(for: self) { Cell(copying: self) }
  }
}

extension Selector {
  /// The winner, where the selector is not registered.
  @inlinable
  func firstStandalone(in context: Context) throws(InjectorError) -> Service? {
    let injector = Injector.default
    guard injector.registrations.isOverseen else {
      return try firstChecked(in: context, for: injector)
    }
    return try firstStandaloneOverseen(in: context)
  }

  @inlinable
  func firstChecked(in context: Context, for injector: Injector) throws(InjectorError) -> Service? {
    guard let chosen = try choose(in: context, for: injector) else { return nil }
    if let built = unsafe built(chosen) { return unsafe built.pointee }
    return try instance(at: chosen, in: context, for: injector, isChecked: true)
  }

  @usableFromInline
  func firstStandaloneOverseen(in context: Context) throws(InjectorError) -> Service? {
    let injector = Injector.default
    let isActive = injector.registrations.instrumentation.isActive
    return try (isActive ? isolated() : self).firstFollowed(in: context, for: injector.isolated(), isChecked: true)
  }

  /// All that apply, where the selector is not registered.
  @inlinable
  func allStandalone(in context: Context) throws(InjectorError) -> [Service] {
    let injector = Injector.default
    guard injector.registrations.isOverseen else {
      return try allChecked(in: context, for: injector)
    }
    return try allStandaloneOverseen(in: context)
  }

  @inlinable
  func allChecked(in context: Context, for injector: Injector) throws(InjectorError) -> [Service] {
    if toleratesFailures { return try allOverseen(in: context, for: injector, isChecked: true).map(\.service) }
    let chosen = try indices(in: context, for: injector)
    var services: [Service] = []
    services.reserveCapacity(chosen.count)
    for index in chosen { services.append(try checkedInstance(of: candidates[index].cell, for: injector)) }
    return services
  }

  @usableFromInline
  func allStandaloneOverseen(in context: Context) throws(InjectorError) -> [Service] {
    let injector = Injector.default
    let isActive = injector.registrations.instrumentation.isActive
    return try (isActive ? isolated() : self).allOverseen(in: context, for: injector.isolated(), isChecked: true)
      .map(\.service)
  }

  /// The instance of a candidate, after the checks that registering it would have made.
  @inlinable
  func checkedInstance(of cell: Cell<Service>, for injector: Injector) throws(InjectorError) -> Service {
    if let built = unsafe cell.instance.pointer(to: Service.self) { return unsafe built.pointee }
    if !cell.isDirect.load(ordering: .relaxed) { try check(cell, for: injector) }
    return try cell.make(for: injector)
  }

  @usableFromInline
  func check(_ cell: Cell<Service>, for injector: Injector) throws(InjectorError) {
    try injector.check(cell, isLoadable: false, of: name)
  }

  /// The selector of the sandbox that the calling task is in, where the selector is not registered.
  @usableFromInline
  func isolated() -> Selector {
    isolatedObject(for: self) { Selector(self, isCopy: true) { Cell(copying: $0) } }
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
