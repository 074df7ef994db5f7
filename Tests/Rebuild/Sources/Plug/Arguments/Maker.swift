/// Makes a service from arguments. A registration with arguments has one in place of a factory.
@usableFromInline
final class Maker<Service, First: Sendable, each Rest: Sendable>: Sendable {
  @usableFromInline typealias Make = @Sendable (First, repeat each Rest, Injector) throws -> Service

  /// `nil` if `inherited` makes instances.
  private let make: Make?
  /// What is further out, for a scope that decorates it.
  private let inherited: Cell?
  private let identify: ArgumentsLifetime<First, repeat each Rest>.Identify?

  private init(
    _ make: Make?, inherited: Cell? = nil, _ identify: ArgumentsLifetime<First, repeat each Rest>.Identify?
  ) {
    self.make = make
    self.inherited = inherited
    self.identify = identify
  }

  /// A registration of a closure that takes arguments.
  static func registration(
    _ key: Key, _ make: @escaping @isolated(any) @Sendable (First, repeat each Rest, Injector) throws -> Service,
    _ lifetime: ArgumentsLifetime<First, repeat each Rest>, dependencies: [any Any.Type]? = nil, depth: Int32,
    _ location: CodeLocation
  ) -> Registration {
    let needs = dependencies.map { Needs.declared($0.map { Key($0) }) } ?? .opaque
    var values = Extras.Values()
    if lifetime.kind == .weakSingleton {
      (values.weaken, values.weakType) = (AnyWeakInstance.weakening(Service.self), Service.self)
    }
    let recipe = AnyRecipe(
      { _, _ in throw CancellationError() }, FactoryIsolation(make.isolation), needs, Extras(values))
    return Registration(
      key, lifetime.kind, recipe,
      maker: Maker(erasingIsolation(ofMaker: make), lifetime.identify), depth: depth,
      location: location)
  }

  /// Gets an instance.
  ///
  /// - Parameter cell: The cell whose registration has this.
  /// - Returns: `nil` if that has been removed or replaced.
  func box(
    _ first: First, _ rest: repeat each Rest, of cell: Cell, for injector: Injector
  ) throws(InjectorError) -> AnyBox? {
    let base = cell.registration
    let call: @Sendable (Injector) throws -> Service = { [make, inherited] injector in
      if let make { return try apply(make, first, repeat each rest, injector) }
      guard var cell = inherited else { throw CancellationError() }
      let outer = injector.parent ?? injector
      while true {
        if let box = try outer.box(of: cell, as: Service.self, with: first, repeat each rest) { return box.open() }
        guard let next = try outer.find(cell.registration.key) else { throw outer.absence(of: cell.registration.key) }
        cell = next
      }
    }
    func registration() -> Registration {
      let recipe = AnyRecipe(
        { _, injector in Box<Service>(try call(injector)) }, base.recipe.isolation,
        base.recipe.needs, base.recipe.extras)
      return Registration(base.key, base.lifetime, recipe, base: base, depth: base.depth, location: base.location)
    }
    guard let identify else { return try injector.provide(Cell(registration())) }
    guard let owner = injector.owner(of: base) else {
      return try injector.provide(Cell(registration()))  // Which throws that a scope is missing.
    }
    let values = identify(first, repeat each rest)
    let known = owner.keptArguments.registration(for: values, of: base, registration)
    if let kept = owner.ownCell(of: known, cell, for: 0)?.cell { return try kept.made(in: owner) }
    if owner.isClosedItself { throw injector.closed(base.key, by: owner) }
    // Nothing is kept for what is registered no longer.
    if (try? owner.lookUp(base.key)) ?? nil !== cell { owner.keptArguments.forget(base) }
    return nil
  }
}

extension Cell {
  /// The instance for some arguments; `nil` if it has been given up.
  fileprivate func made(in owner: Injector) throws(InjectorError) -> AnyBox? {
    try Level.current.with { (stack) throws(InjectorError) in
      if owner.isScope { try owner.refuseCapture(of: registration, in: owner, stack) }
      return try instance(in: owner, stack)
    }
  }
}

/// What makes instances from arguments, for code that does not know their types.
protocol Overlayable {
  /// Makes what a scope decorates from what is further out.
  func overlaid(over cell: Cell) -> any AnyObject & Sendable
}

extension Maker: Overlayable {
  func overlaid(over cell: Cell) -> any AnyObject & Sendable {
    Maker(nil, inherited: cell, identify)
  }
}

/// Calls a function whose parameters are not all of one pack, which a direct call cannot.
private func apply<each Input, Output>(
  _ function: (repeat each Input) throws -> Output, _ input: repeat each Input
) rethrows -> Output {
  try function(repeat each input)
}

/// The registrations of what an injector keeps for equal arguments.
final class KeptArguments: Sendable {
  private struct Kept: Sendable {
    let values: [any Hashable & Sendable]
    let registration: Registration

    func isEqual(to others: [any Hashable & Sendable]) -> Bool {
      for (value, other) in zip(values, others) where !value.isEqual(to: other) { return false }
      return true
    }
  }

  /// By the hashes of the arguments, so that none are hashed or compared under the lock.
  private let known = Guarded<[Int: [Kept]]>([:])

  func registration(
    for values: [any Hashable & Sendable], of base: Registration, _ make: () -> Registration
  ) -> Registration {
    var hasher = Hasher()
    hasher.combine(ObjectIdentifier(base))
    for value in values { value.hash(into: &hasher) }
    let hash = hasher.finalize()
    var made: Registration?
    while true {
      let kept = known.withLock { $0[hash] ?? [] }
      for one in kept where one.registration.base === base && one.isEqual(to: values) { return one.registration }
      let new = made ?? make()
      made = new
      let isAdded = known.withLock { known in
        // What has come meanwhile is compared first.
        if known[hash]?.count ?? 0 != kept.count { return false }
        known[hash, default: []].append(Kept(values: values, registration: new))
        return true
      }
      if isAdded { return new }
    }
  }

  /// Forgets the arguments of a registration that has gone.
  func forget(_ base: Registration) {
    let old = known.withLock { known in
      let old = known
      for (hash, kept) in old where kept.contains(where: { $0.registration.base === base }) {
        let rest = kept.filter { $0.registration.base !== base }
        known[hash] = rest.isEmpty ? nil : rest
      }
      return old
    }
    withExtendedLifetime(old) {}  // The arguments are released outside of the lock.
  }
}

extension Hashable {
  fileprivate func isEqual(to other: any Hashable) -> Bool { other as? Self == self }
}

extension Injector {
  var keptArguments: KeptArguments { updateAttachment(KeptArguments.self) { $0 ?? KeptArguments() } ?? KeptArguments() }
}
