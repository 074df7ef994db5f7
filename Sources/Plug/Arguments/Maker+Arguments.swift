// How boxes of arguments are made, opened and compared. Swift specialises packs in users' modules only where everything
// is inlinable.

extension Maker {
  @inlinable
  convenience init<Service: Sendable, each Argument: Sendable>(
    _ equality: Equality?,
    _ make: @escaping @isolated(any) @Sendable (repeat each Argument, Injector) throws -> Service
  ) {
    let call = erasingIsolation(of: make)
    self.init(equality) { box, injector in
      let arguments = box.open(as: (repeat each Argument).self)
      return Box<Service>(try apply(call, repeat each arguments, injector))
    }
  }
}

/// Calls a function with a parameter pack in the middle, which cannot be called in place.
@inlinable
@inline(__always)
func apply<each Input, Output>(
  _ function: (repeat each Input) throws -> Output, _ input: repeat each Input
) rethrows -> Output { try function(repeat each input) }

extension Maker.Equality {
  /// Compares the values of arguments.
  @inlinable
  init<each Argument: Hashable & Sendable>(of types: repeat (each Argument).Type) {
    self.init { box in
      let arguments = box.open(as: (repeat each Argument).self)
      var hasher = Hasher()
      repeat hasher.combine(each arguments)
      return hasher.finalize()
    } areEqual: { first, second in
      let (first, second) = (first.open(as: (repeat each Argument).self), second.open(as: (repeat each Argument).self))
      for (one, other) in repeat (each first, each second) { if one != other { return false } }
      return true
    }
  }
}

extension Definition {
  /// The definition of a service that is made from arguments.
  @inlinable
  package init<Service: Sendable, First: Sendable, each Rest: Sendable>(
    _ lifetime: ArgumentsLifetime<First, repeat each Rest>, dependsOn dependencies: [any Any.Type]? = nil,
    _ make: @escaping @isolated(any) @Sendable (First, repeat each Rest, Injector) throws -> Service
  ) {
    self.init(lifetime.kind, Maker(lifetime.equality, make), on: make.isolation, dependencies)
  }

  @usableFromInline
  init(_ lifetime: Lifetime, _ maker: Maker, on actor: (any Actor)?, _ dependencies: [any Any.Type]?) {
    var values = Extras.Values()
    values.maker = maker
    let needs = dependencies.map { Needs.declared($0.map { Key($0) }) } ?? .opaque
    let recipe = AnyRecipe({ _, _ in throw CancellationError() }, FactoryIsolation(actor), needs, Extras(values))
    self.init(lifetime, recipe)
  }
}
