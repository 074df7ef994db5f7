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
    try copy.override(
      by: Registration(
        key, definition.lifetime, definition.recipe, instance: definition.instance, depth: copy.depth,
        location: location))
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
  var isPrivate: Bool { sandbox != 0 && Layers.redirection?.number == sandbox }

  /// The services that the calling thread is making, the outermost first.
  package static var chain: [String] { Level.current.with { stack in stack.path.map { $0.name.text } } }

  fileprivate func override(by registration: Registration) throws(InjectorError) {
    try check(Definition(lifetime: registration.lifetime, recipe: registration.recipe), for: registration.key)
    let cell = Cell(registration)
    try replace(registration.key, by: cell, ignoresSeal: true)
    keepHandedIn([cell])
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
