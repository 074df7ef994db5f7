import Synchronization

/// The registration of a service. It is immutable, and its injector, scopes and isolated copies share it.
@usableFromInline
package final class Registration: Sendable {
  // In the order in which they take the least memory.
  package let key: Key
  @usableFromInline let recipe: AnyRecipe
  /// The given instance.
  let instance: AnyBox?
  private let rare: Boxed<Rare>?
  package let location: CodeLocation
  let attachments = Attachments()
  /// The depth of the injector in which the service is registered; 0 for one that is not a scope.
  package let depth: Int32
  package let lifetime: Lifetime
  /// Whether the cell has several candidates to choose among.
  let isChoice: Bool
  /// Whether a scope wraps the inherited instance.
  let isInheriting: Bool
  /// Whether an instance is made by the factory and by nothing else.
  let isPlain: Bool
  /// Whether a request calls the factory and does nothing else. A registration of a scope is never plain, because its
  /// requests also check for a capture.
  let isPlainFactory: Bool
  /// Whether the release of an instance by its owner runs an action.
  let isClosable: Bool

  /// Parts that few registrations have.
  private struct Rare {
    let candidate: String?
    let origin: Registration?
  }

  /// The maker of instances from arguments, which replaces the recipe's factory.
  var maker: Maker? { recipe.extras?.values.maker }
  package var needs: Needs { recipe.needs }
  package var isLoaded: Bool { recipe.isLoaded }
  /// The registration that this decorates; `nil` if it decorates none.
  package var origin: Registration? { rare?.value.origin }
  /// The id, if this is a candidate of a point.
  package var candidate: String? { rare?.value.candidate }

  init(
    _ key: Key, _ lifetime: Lifetime, _ recipe: AnyRecipe, instance: AnyBox? = nil, isChoice: Bool = false,
    candidate: String? = nil, origin: Registration? = nil, isInheriting: Bool = false, depth: Int32,
    location: CodeLocation
  ) {
    let isCommon = candidate == nil && origin == nil
    let parts = Rare(candidate: candidate, origin: origin)
    rare = isCommon ? nil : Boxed(parts)
    self.key = key
    self.isInheriting = isInheriting
    self.lifetime = lifetime
    self.recipe = recipe
    self.instance = instance
    self.isChoice = isChoice
    self.depth = depth
    self.location = location
    isClosable = recipe.extras?.values.closings.isEmpty == false
    isPlain = !isChoice && recipe.isPlain && instance == nil
    isPlainFactory = lifetime == .factory && isPlain && depth == 0
  }

  /// Whether the registration represents an injected property, whose service is named after the property.
  var isOfSlot: Bool { !isChoice && recipe === AnyRecipe.unused }
  var isKept: Bool { !isChoice && lifetime.isKept }
  /// Whether the registration was given an instance, which its injector closes, decorated or not.
  var isHandedIn: Bool { instance != nil }
  /// The registration without decorators.
  var source: Registration { origin ?? self }
  /// Whether a cell begins with an instance: a given one without a configuration or a decorator.
  var hasInstance: Bool { instance != nil && !isConfigured && recipe.extras?.values.wraps.isEmpty ?? true }
  var isConfigured: Bool { recipe.extras?.values.configurations.isEmpty == false }

  /// This registration with another recipe.
  func with(_ recipe: AnyRecipe, instance: AnyBox? = nil, origin: Registration? = nil) -> Registration {
    Registration(
      key, lifetime, recipe, instance: instance, isChoice: isChoice, candidate: candidate, origin: origin,
      isInheriting: isInheriting, depth: depth, location: location)
  }
}
