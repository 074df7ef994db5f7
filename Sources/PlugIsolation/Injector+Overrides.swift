package import Plug
import Synchronization

// Overrides in the copies of tests.

extension Injector {
  /// Replaces a service in the calling test's copy, even if the copy is sealed.
  package func override<Service: Sendable>(
    _ key: Key, by injection: Injection<Service>, at location: CodeLocation
  ) throws(InjectorError) {
    let instance: AnyBox? =
      switch injection {
      case .singleton(let service), .lazySingleton(let service?, _): Box(service)
      default: nil
      }
    try override(key, by: injection.definition, instance, at: location)
  }

  private func override(
    _ key: Key, by definition: Definition, _ instance: AnyBox?, at location: CodeLocation
  ) throws(InjectorError) {
    let copy = try isolatedForChange(of: key)
    let override = Override(of: key, by: instance, in: copy, at: location)
    guard let watched = definition.noting(override.waive) else {
      return try copy.replace(key, by: definition, at: location)
    }
    try copy.replace(key, by: watched, at: location)
    Sandbox.current?.add(override)
  }

  /// Replaces a service that is made from arguments, in the calling test's copy.
  package func override<Service: Sendable, First: Sendable, each Rest: Sendable>(
    _ key: Key, taking first: First.Type, _ rest: repeat (each Rest).Type, at location: CodeLocation,
    by make: @escaping @isolated(any) @Sendable (First, repeat each Rest, Injector) throws -> Service
  ) throws(InjectorError) {
    let copy = try isolatedForChange(of: key)
    _ = try copy.existingCell(of: key, isOverride: true)
    try copy.replace(key, by: Definition(ArgumentsLifetime<First, repeat each Rest>.factory, make), at: location)
  }
}

/// An override of a test, which knows whether it has been requested.
package final class Override: Sendable {
  package let key: Key
  package let location: CodeLocation
  package let injector: String
  /// The number of that injector.
  let number: UInt
  private let instance: AnyBox?
  private let asked = Atomic(false)
  /// Whether the override replaces a registration.
  private let isReplacing: Bool

  fileprivate init(of key: Key, by instance: AnyBox?, in copy: Injector, at location: CodeLocation) {
    (self.key, self.location, injector, number) = (key, location, copy.path ?? "(unnamed)", copy.number)
    self.instance = instance
    isReplacing = key.type is any TypedKey.Type || copy.visibleCell(of: key) != nil
  }

  /// Whether it replaces no registration and has not been requested.
  var isFutile: Bool { !isReplacing && !asked.load(ordering: .relaxed) }

  /// Accepts the override even without a request.
  func waive() { asked.store(true, ordering: .relaxed) }

  /// The services of the given injectors that the override could replace, because its instance has their type.
  package func services(in injectors: [Injector]) -> [Key] {
    guard let instance else { return [] }
    func value<Service>(_ type: Service.Type) -> Any { instance.open(as: type) }
    let made = _openExistential(key.type, do: value)
    func isType<Service>(_ type: Service.Type) -> Bool { made is Service }
    return injectors.flatMap { $0.levels.flatMap(\.cells) }.map(\.registration.key)
      .filter { $0.type != key.type && $0.tag == key.tag && _openExistential($0.type, do: isType) }
  }
}
