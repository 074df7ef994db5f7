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
  /// - Parameter base: The registration that has this.
  func box(
    _ first: First, _ rest: repeat each Rest, of base: Registration, for injector: Injector
  ) throws(InjectorError) -> AnyBox {
    let call: @Sendable (Injector) throws -> Service = { [make, inherited] injector in
      if let make { return try apply(make, first, repeat each rest, injector) }
      guard let inherited else { throw CancellationError() }
      let outer = injector.parent ?? injector
      return try outer.box(of: inherited, as: Service.self, with: first, repeat each rest).open()
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
    guard let cell = owner.ownCell(of: known, for: 0)?.cell else { throw injector.closed(base.key, by: owner) }
    return try injector.provide(cell)
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
  private struct Arguments: Hashable {
    let base: ObjectIdentifier
    let values: any Hashable & Sendable

    static func == (first: Self, second: Self) -> Bool {
      first.base == second.base && AnyHashable(first.values) == AnyHashable(second.values)
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(base)
      values.hash(into: &hasher)
    }
  }

  private let known = Guarded<[Arguments: Registration]>([:])

  func registration(
    for values: any Hashable & Sendable, of base: Registration, _ make: () -> Registration
  ) -> Registration {
    let arguments = Arguments(base: ObjectIdentifier(base), values: values)
    if let known = known.withLock({ $0[arguments] }) { return known }
    let new = make()
    return known.withLock { known in
      if let first = known[arguments] { return first }
      known[arguments] = new
      return new
    }
  }

  /// Forgets the arguments of a registration that has gone.
  func forget(_ base: Registration) {
    let old = known.withLock { known in
      let old = known
      known = old.filter { $0.value.base !== base }
      return old
    }
    withExtendedLifetime(old) {}  // The arguments are released outside of the lock.
  }
}

extension Injector {
  var keptArguments: KeptArguments { updateAttachment(KeptArguments.self) { $0 ?? KeptArguments() } ?? KeptArguments() }
}
