import Synchronization

// What tests register in the copies that they have.

extension Injector {
  /// The copy of the calling test.
  ///
  /// - Parameter key: What is to be changed, for the error.
  package func isolatedForChange(of key: Key) throws(InjectorError) -> Injector {
    guard let sandbox = Sandbox.current else { throw .notIsolated(InjectorError.Facts(about: key, in: self)) }
    return sandbox.copy(of: self)
  }

  /// Registers a service in the copy of the calling test, in place of what it has, sealed or not.
  @inlinable
  package func override<Service: Sendable>(
    _ key: Key, by injection: Injection<Service>, at location: CodeLocation
  ) throws(InjectorError) {
    try override(key, by: injection.definition, at: location)
  }

  @usableFromInline
  func override(_ key: Key, by definition: Definition, at location: CodeLocation) throws(InjectorError) {
    let copy = try isolatedForChange(of: key)
    let values = definition.recipe.extras?.values
    // What was handed in is closed and configured as such.
    let isGivenAsItIs =
      definition.instance == nil || values?.closings.isEmpty ?? true && values?.configurations.isEmpty ?? true
    let isWatched = isGivenAsItIs && values?.load == nil
    let override = isWatched ? Override(of: key, by: definition, in: copy, at: location) : nil
    try copy.override(
      by: Registration(
        key, definition.lifetime, override ?? definition.recipe, instance: isWatched ? nil : definition.instance,
        depth: copy.depth, location: location))
  }

  /// Registers what is made from arguments in the copy of the calling test, in place of what it has.
  package func override<Service: Sendable, First: Sendable, each Rest: Sendable>(
    _ key: Key, taking first: First.Type, _ rest: repeat (each Rest).Type, at location: CodeLocation,
    by make: @escaping @isolated(any) @Sendable (First, repeat each Rest, Injector) throws -> Service
  ) throws(InjectorError) {
    let copy = try isolatedForChange(of: key)
    if try copy.lookUp(key) == nil { throw copy.absence(of: key, isOverride: true) }
    let lifetime = ArgumentsLifetime<First, repeat each Rest>.factory
    try copy.override(by: Maker.registration(key, make, lifetime, depth: copy.depth, location))
  }

  /// Whether this is a copy of the calling test, or was made in it.
  package var isPrivate: Bool { sandbox != 0 && Layers.redirection?.number == sandbox }

  /// The services that the calling thread is making, the outermost first.
  package static var chain: [String] { Level.current.with { stack in stack.path.map { $0.name.text } } }

  fileprivate func override(by registration: Registration) throws(InjectorError) {
    try check(Definition(lifetime: registration.lifetime, recipe: registration.recipe), for: registration.key)
    try replace(registration.key, by: Cell(registration), ignoresSeal: true)
  }
}

/// The recipe of an override, which knows whether anything has asked for it.
package final class Override: AnyRecipe, @unchecked Sendable {
  package let key: Key
  package let location: CodeLocation
  package let injector: String
  private let inner: AnyRecipe
  private let instance: AnyBox?
  private let asked = Atomic(false)
  /// Whether anything was registered that it takes the place of.
  private let isReplacing: Bool

  private static let extras = Extras(Extras.Values())

  fileprivate init(of key: Key, by definition: Definition, in copy: Injector, at location: CodeLocation) {
    (self.key, self.location, injector) = (key, location, copy.path ?? "(unnamed)")
    (inner, instance) = (definition.recipe, definition.instance)
    isReplacing = key.type is any TypedKey.Type || (try? copy.lookUp(key)) ?? nil != nil
    super.init(
      { recipe, injector in
        guard let override = recipe as? Override else { throw CancellationError() }
        return try override.box(for: injector)
      },
      inner.isolation, inner.needs, inner.extras ?? Self.extras)
  }

  private func box(for injector: Injector) throws -> AnyBox {
    asked.store(true, ordering: .relaxed)
    return try instance ?? inner.make(inner, injector)
  }

  /// Whether it takes the place of nothing, and nothing has asked for it.
  var isFutile: Bool { !isReplacing && !asked.load(ordering: .relaxed) }

  private let early = Atomic(false)
  /// Whether it was made by a name before the injector, and what is registered there does not count.
  var isEarly: Bool { early.load(ordering: .relaxed) }

  func beginEarly() { early.store(true, ordering: .relaxed) }

  /// Nothing has to ask for it.
  func waive() { asked.store(true, ordering: .relaxed) }

  /// What is registered in some injectors that it could take the place of: a type that its instance has.
  package func services(in injectors: [Injector]) -> [Key] {
    guard let instance else { return [] }
    func value<Service>(_ type: Service.Type) -> Any { instance.open(as: type) }
    let made = _openExistential(key.type, do: value)
    func isType<Service>(_ type: Service.Type) -> Bool { made is Service }
    return injectors.flatMap { $0.levels.flatMap(\.cells) }.map(\.registration.key)
      .filter { $0.type != key.type && $0.tag == key.tag && _openExistential($0.type, do: isType) }
  }
}

extension Key {
  /// The key of a service that is made from arguments.
  package static func taking<Service, First: Sendable, each Rest: Sendable>(
    _ first: First.Type, _ rest: repeat (each Rest).Type, for service: Service.Type, _ tag: Injector.Tag?
  ) -> Key { Key(ArgumentsKey<Service, First, repeat each Rest>.self, tag) }
}

extension ArgumentsProvider {
  /// Replaces what is declared in the copy of the calling test, sealed or not.
  package func replace(
    at location: CodeLocation,
    by make: @escaping @isolated(any) @Sendable (First, repeat each Rest, Injector) throws -> Service
  ) throws(InjectorError) {
    let copy = try injector.isolatedForChange(of: key)
    try copy.override(by: registration(make, depth: copy.depth, location))
  }
}
