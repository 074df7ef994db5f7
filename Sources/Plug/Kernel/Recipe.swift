/// The way to make an instance, for code that does not know its type. Immutable.
///
/// Soundness of the unchecked conformance: every property is a constant of a `Sendable` type.
@usableFromInline
class AnyRecipe: @unchecked Sendable {
  @usableFromInline typealias Make = @Sendable (AnyRecipe, Injector) throws -> AnyBox

  /// Calls the factory and puts the instance in a box.
  let make: Make
  /// The actor that the factory, a decorator or a configuration needs.
  let isolation: FactoryIsolation
  /// The known dependencies of the factory.
  let needs: Needs
  /// Parts that few recipes have.
  let extras: Extras?

  init(_ make: @escaping Make, _ isolation: FactoryIsolation, _ needs: Needs, _ extras: Extras?) {
    self.make = make
    self.isolation = isolation
    self.needs = needs
    self.extras = extras
  }

  /// A recipe whose factory is isolated to an actor. Unless that is the main actor, the instance is loaded there.
  @usableFromInline
  @inline(never)
  init(_ make: @escaping Make, on actor: (any Actor)?, _ needs: Needs) {
    self.make = make
    self.needs = needs
    isolation = actor is MainActor ? .mainActor : .none
    extras = actor == nil || actor is MainActor ? nil : Extras(Extras.Values(actor: actor))
  }

  /// The recipe of a given instance.
  static let unused = AnyRecipe({ _, _ in throw CancellationError() }, .none, .nothing, nil)

  @inline(__always)
  var isLoaded: Bool { extras.map { $0.values.load != nil || $0.values.actor != nil } ?? false }

  /// Makes the instance asynchronously.
  func load(in injector: Injector) async throws -> AnyBox {
    func make(on actor: isolated (any Actor)?) throws -> AnyBox { try self.make(self, injector) }
    if let load = extras?.values.load { return try await load(injector) }
    return try await make(on: extras?.values.actor)
  }

  /// Whether nothing but the factory runs.
  var isPlain: Bool { isolation.isNone && extras == nil && !needs.isAbsent }
}

/// The dependencies of a factory, as far as they are known before it runs.
@usableFromInline
package enum Needs: Sendable {
  /// The factory has no dependencies.
  case nothing
  /// They are unknown: the factory is a closure that receives the injector.
  case opaque
  /// The types of an initializer's parameters.
  case wired([Key])
  /// The author declares them.
  case declared([Key])
  /// There is no factory: each scope registers the service itself.
  case absent

  var isAbsent: Bool { if case .absent = self { true } else { false } }
}

/// The rare parts of a recipe.
final class Extras: Sendable {
  struct Values: Sendable {
    /// Makes the instance asynchronously, in place of the factory.
    var load: (@Sendable @concurrent (Injector) async throws -> AnyBox)?
    /// Makes instances from arguments, in place of the factory.
    var maker: Maker?
    /// The actor that the factory is isolated to, if the instance is loaded there.
    var actor: (any Actor)?
    /// Decorators, innermost first.
    var wraps: [Decoration] = []
    /// The ids of the decorators of the instance that the factory gets from a parent.
    var inherited: [String] = []
    /// Setter injection, in order.
    var configurations: [Configuration] = []
    /// Whether an instance that is configured is an object. A value is configured again in each copy of an injector.
    var isObject: (@Sendable (AnyBox) -> Bool)?
    /// The actions that close an instance when its owner releases it, in order.
    var closings: [@Sendable (AnyBox) -> CloseAction] = []
    /// Returns a weak reference to an instance; `nil` for an empty optional. Throws the name of a type that is not a
    /// class.
    var weaken: (@Sendable (AnyBox) throws(NotAnObject) -> WeakInstance?)?
    /// The type of the weakly held instance, which can differ from the type of the key.
    var weakType: (any Any.Type)?
    /// The name of the scopes that keep an instance; any scope if it is `nil`.
    var scopeName: String?
    /// The place of an eager injection among others, in their order; `nil` if it is not eager.
    var eager: UInt?
    var limits = TimeLimits()
    /// The values that layers add, by types of their own.
    var layers: [ObjectIdentifier: any Sendable] = [:]
  }

  let values: Values

  init(_ values: Values) { self.values = values }
}

/// A closure that runs with each instance after it has been made.
struct Configuration: Sendable {
  let location: CodeLocation
  let configure: @Sendable (AnyBox, Injector) throws -> Void
}

/// A decorator that wraps each instance.
struct Decoration: Sendable {
  let id: String
  let location: CodeLocation
  let isolation: FactoryIsolation
  let wrap: @Sendable (AnyBox, Injector) throws -> AnyBox
}

/// The recipe for an instance of a service. Only the factory, and the closure that boxes its result, are specialized
/// for the service.
@usableFromInline
final class Recipe<Service: Sendable>: AnyRecipe, @unchecked Sendable {
  /// A closure of a user. One without a parameter is called as it is, because a closure around it would be another
  /// function and another object for each service.
  @usableFromInline
  enum Factory: Sendable {
    case plain(@Sendable () throws -> Service)
    case injected(@Sendable (Injector) throws -> Service)

    /// A factory that is never called, because the instance is loaded or registered in scopes.
    static var unused: Self { .plain { throw CancellationError() } }

    @inlinable
    @inline(__always)
    func callAsFunction(_ injector: Injector) throws -> Service {
      switch self {
      case .plain(let make): try make()
      case .injected(let make): try make(injector)
      }
    }
  }

  @usableFromInline let factory: Factory

  @inlinable
  init(on actor: (any Actor)? = nil, _ needs: Needs, _ factory: Factory) {
    self.factory = factory
    super.init(
      { recipe, injector in Box<Service>(try recipe.typed(as: Service.self).factory(injector)) }, on: actor, needs)
  }

  /// A recipe with the same factory.
  private init(_ other: Recipe, isolation: FactoryIsolation, needs: Needs, extras: Extras?) {
    factory = other.factory
    super.init(other.make, isolation, needs, extras)
  }

  /// A copy with other extras.
  func changed(
    isolation: FactoryIsolation? = nil, needs: Needs? = nil, _ change: (inout Extras.Values) -> Void = { _ in }
  ) -> Recipe {
    var values = extras?.values ?? Extras.Values()
    change(&values)
    return Recipe(
      self, isolation: isolation.map(self.isolation.joined) ?? self.isolation, needs: needs ?? self.needs,
      extras: Extras(values))
  }
}
