/// The arguments of a request. Code that does not know their types has them in a box.
struct Arguments<First: Sendable, each Rest: Sendable>: Sendable {
  let first: First
  let rest: (repeat each Rest)
}

/// Makes instances from arguments in a box, in place of a recipe's factory. The key of its registration names the types
/// of all arguments.
@usableFromInline
final class Maker: Sendable {
  typealias Identify = @Sendable (AnyBox) -> [any Hashable & Sendable]

  let make: @Sendable (AnyBox, Injector) throws -> AnyBox
  /// Returns the values by which arguments are compared; `nil` if instances are not kept.
  let identify: Identify?
  /// Finds arguments among values by their types.
  let find: @Sendable ([any Sendable]) throws(MissingArgument) -> AnyBox

  init(
    _ identify: Identify?, find: @escaping @Sendable ([any Sendable]) throws(MissingArgument) -> AnyBox,
    make: @escaping @Sendable (AnyBox, Injector) throws -> AnyBox
  ) {
    (self.identify, self.find, self.make) = (identify, find, make)
  }
}

/// An argument that is not among some values.
struct MissingArgument: Error {
  let type: any Any.Type

  fileprivate static func find<Argument>(
    _ type: Argument.Type, in values: [any Sendable]
  ) throws(MissingArgument) -> Argument {
    for value in values { if let argument = value as? Argument { return argument } }
    throw MissingArgument(type: type)
  }
}

extension Definition {
  /// Creates the definition of a service that is made from arguments.
  init<Service: Sendable, First: Sendable, each Rest: Sendable>(
    _ lifetime: ArgumentsLifetime<First, repeat each Rest>, dependsOn dependencies: [any Any.Type]? = nil,
    _ make: @escaping @isolated(any) @Sendable (First, repeat each Rest, Injector) throws -> Service
  ) {
    typealias Given = Arguments<First, repeat each Rest>
    var values = Extras.Values()
    if lifetime.kind == .weakSingleton {
      (values.weaken, values.weakType) = (WeakInstance.weakening(Service.self), Service.self)
    }
    let needs = dependencies.map { Needs.declared($0.map { Key($0) }) } ?? .opaque
    let recipe = AnyRecipe(
      { _, _ in throw CancellationError() }, FactoryIsolation(make.isolation), needs, Extras(values))
    let call = erasingIsolation(of: make)
    self.init(lifetime.kind, recipe)
    maker = Maker(
      lifetime.identify,
      find: { values throws(MissingArgument) in
        let first = try MissingArgument.find(First.self, in: values)
        return Box(Given(first: first, rest: (repeat try MissingArgument.find((each Rest).self, in: values))))
      },
      make: { box, injector in
        let arguments = box.open(as: Given.self)
        return Box<Service>(try apply(call, arguments.first, repeat each arguments.rest, injector))
      })
  }
}

/// Calls a function with a parameter pack in the middle, which cannot be called in place.
private func apply<each Input, Output>(
  _ function: (repeat each Input) throws -> Output, _ input: repeat each Input
) rethrows -> Output { try function(repeat each input) }

extension Injector {
  /// Gets the instance that a registration makes from arguments; `nil` if nothing is registered.
  func box(_ key: Key, with arguments: AnyBox) throws(InjectorError) -> AnyBox? {
    while let cell = try find(key) { if let box = try box(of: cell, with: arguments) { return box } }
    return nil
  }

  /// Gets the instance that a cell makes from arguments; `nil` if the cell is no longer registered.
  func box(
    of cell: Cell, with arguments: AnyBox, isShadowed: Bool = false
  ) throws(InjectorError) -> AnyBox? {
    let base = cell.registration
    guard let maker = base.maker else { throw absence(of: base.key) }
    let owner = try Level.current.with { (stack) throws(InjectorError) in try keeper(of: base, stack) }
    guard let identify = maker.identify else {
      return try Level.current.with { (stack) throws(InjectorError) in try makeNew(base, from: arguments, stack) }
    }
    func registration() -> Registration {
      let recipe = AnyRecipe(
        { _, injector in try maker.make(arguments, injector) }, base.recipe.isolation, base.recipe.needs,
        base.recipe.extras)
      return Registration(base.key, base.lifetime, recipe, base: base, depth: base.depth, location: base.location)
    }
    let kept = owner.keptArguments.registration(for: identify(arguments), of: base, registration)
    if let cell = owner.ownCell(of: kept, cell, for: 0, isShadowed: isShadowed)?.cell {
      return try Level.current.with { (stack) throws(InjectorError) in try cell.instance(in: owner, stack) }
    }
    if owner.isClosedItself { throw closed(base.key, by: owner) }
    owner.keptArguments.forget(base)  // An ended registration keeps no instances.
    return nil
  }

  private var keptArguments: KeptArguments {
    updateAttachment(KeptArguments.self) { $0 ?? KeptArguments() } ?? KeptArguments()
  }
}

/// The registrations that an injector has made for lists of arguments.
final class KeptArguments: Sendable {
  private typealias Kept = (values: [any Hashable & Sendable], registration: Registration)

  private let known = Guarded<[Int: [Kept]]>([:])

  /// Returns the registration for some arguments, and makes it if there is none for equal arguments. Users' code
  /// compares and hashes arguments, so this happens outside of the lock.
  func registration(
    for values: [any Hashable & Sendable], of base: Registration, _ make: () -> Registration
  ) -> Registration {
    var hasher = Hasher()
    hasher.combine(ObjectIdentifier(base))
    for value in values { value.hash(into: &hasher) }
    let hash = hasher.finalize()
    while true {
      let kept = known.withLock { $0[hash] ?? [] }
      for one in kept where one.registration.base === base && zip(values, one.values).allSatisfy({ $0.isEqual(to: $1) })
      {
        return one.registration
      }
      let new = make()
      let isAdded = known.withLock { known in
        // Arguments that were added meanwhile have to be compared first.
        if known[hash]?.count ?? 0 != kept.count { return false }
        known[hash, default: []].append((values, new))
        return true
      }
      if isAdded { return new }
    }
  }

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

/// The key type of a service that is made from arguments. It makes the keys of other services with equal argument
/// types.
protocol TakingArguments {
  static func key(for service: Key) -> Key
}

/// The key type of a service that is made from arguments of these types.
struct ArgumentsKey<Service, First: Sendable, each Rest: Sendable>: TypedKey, TakingArguments {
  static func key(for service: Key) -> Key {
    func key<Other>(_ type: Other.Type) -> Key { Key(ArgumentsKey<Other, First, repeat each Rest>.self, service.tag) }
    return _openExistential(service.type, do: key)
  }

  static func name(tag: String?) -> String {
    "\(typeName(Service.self))\(types.argumentNames.parenthesized)\(tag.map { " (tag \"\($0)\")" } ?? "")"
  }

  static func expression(tag: String?) -> String { "injector.\(name(tag: tag))" }

  static var kind: InjectorError.Facts.Kind { .arguments }

  static var arguments: (service: any Any.Type, types: [any Any.Type])? { (Service.self, types) }

  private static var types: [any Any.Type] { Key.each(First.self, repeat (each Rest).self).map(\.type) }
}

extension Key {
  /// The key of a service that is made from arguments.
  package static func taking<Service, First: Sendable, each Rest: Sendable>(
    _ first: First.Type, _ rest: repeat (each Rest).Type, for service: Service.Type, _ tag: Injector.Tag?
  ) -> Key { Key(ArgumentsKey<Service, First, repeat each Rest>.self, tag) }
}

extension Key {
  /// The key by which decorators and resets refer to the service.
  var served: Key { typed?.arguments.map { Key($0.service, tag) } ?? self }

  /// The types of the arguments that the service is made from.
  var arguments: [any Any.Type]? { typed?.arguments?.types }
}

extension Registration {
  var servedKey: Key { key.served }
}
