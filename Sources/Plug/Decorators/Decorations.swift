/// The decorators of one injector, by service. Immutable: a further decorator replaces it.
final class Decorations: Attachment {
  fileprivate let decorators: [Key: [Decoration]]

  init(_ decorators: [Key: [Decoration]] = [:]) { self.decorators = decorators }

  func copy(for injector: Injector) -> Decorations? { self }

  subscript(key: Key) -> [Decoration] { decorators[key] ?? [] }

  func adding(_ decoration: Decoration, for key: Key) -> Decorations {
    var decorators = decorators
    decorators[key, default: []].append(decoration)
    return Decorations(decorators)
  }
}

extension Registration {
  /// The ids of the decorators, innermost first.
  package var decorators: [String] {
    guard let values = recipe.extras?.values else { return [] }
    return values.inherited + values.wraps.map(\.id)
  }

  /// This registration with decorators around each instance.
  fileprivate func decorated(by decorators: [Decoration]) -> Registration {
    var values = recipe.extras?.values ?? Extras.Values()
    values.wraps += decorators
    let isolation = decorators.reduce(recipe.isolation) { $0.joined(with: $1.isolation) }
    let make: AnyRecipe.Make = { [recipe] _, injector in try recipe.make(recipe, injector) }
    return with(AnyRecipe(make, isolation, recipe.needs, Extras(values)), instance: instance, origin: source)
  }

  /// The registration of a scope that decorates this one, which it inherits. It wraps the inherited instance. If that
  /// is kept around the scope, the scope keeps the result. What each scope inside keeps, they keep in both forms.
  fileprivate func inherited(by scope: Injector, _ decorators: [Decoration], at location: CodeLocation) -> Registration
  {
    let (outer, key, depth) = (recipe.extras?.values, key, scope.depth)
    var values = Extras.Values()
    (values.wraps, values.inherited) = (decorators, self.decorators)
    (values.weaken, values.weakType) = (outer?.weaken, outer?.weakType)
    values.eager = recipe.isLoaded ? 0 : outer?.eager
    let name = outer?.scopeName
    let isKeptInside = lifetime == .scoped && (name == nil || !scope.levels.contains { $0.scopeName == name })
    if isKeptInside { values.scopeName = name }
    let isKeptHere = isKept && lifetime != .weakSingleton && !isKeptInside
    values.maker = maker.map { Maker($0.equality) { try $1.inherited(key, with: $0, below: depth) } }
    let isolation = decorators.reduce(FactoryIsolation.none) { $0.joined(with: $1.isolation) }
    let make: AnyRecipe.Make = { _, injector in try injector.inherited(key, below: depth) }
    return Registration(
      key, isKeptHere ? .lazySingleton : lifetime, AnyRecipe(make, isolation, .nothing, Extras(values)),
      isInheriting: true, depth: depth, location: location)
  }
}

extension Cell {
  func decorated(by decorators: [Decoration]) -> Cell {
    decorators.isEmpty ? self : mapping { Cell($0.registration.decorated(by: decorators)) }
  }
}

extension Injector {
  /// Returns a cell with the decorators that this injector has for the cell's service.
  func decorated(_ cell: Cell) -> Cell {
    attachment(Decorations.self).map { cell.decorated(by: $0[cell.registration.key.served]) } ?? cell
  }

  /// The cell with which this scope decorates what it inherits; `nil` if there are no decorators or no instances.
  func inheriting(_ inherited: Cell?, _ decorations: Decorations?) -> Cell? {
    guard let registration = inherited?.registration, !registration.recipe.needs.isAbsent,
      let decorators = decorations?[registration.key.served], let last = decorators.last
    else { return nil }
    return Cell(registration.inherited(by: self, decorators, at: last.location))
  }

  /// Gets the instance that the scope at a depth inherits, as this injector sees it.
  fileprivate func inherited(
    _ key: Key, with arguments: AnyBox? = nil, below depth: Int32
  ) throws -> AnyBox {
    let outer = level(at: depth - 1)
    for _ in 0..<Self.attemptLimit {  // As in `firstBox`.
      guard let cell = try outer.find(key) else { throw outer.absence(of: key) }
      if let box = try attempt(cell, true, with: arguments) { return box }
    }
    throw try outer.find(key).map { failure(.replaced, $0.registration) } ?? outer.absence(of: key)
  }

  /// The decorators of services that this injector has not registered, in any order.
  ///
  /// A provider registers its service when it is first used, so its decorators are not among them.
  package var idleDecorators: [(service: Key, id: String, location: CodeLocation)] {
    let known = Set(registrations.filter { !$0.recipe.needs.isAbsent }.map(\.key.served))
    let idle = attachment(Decorations.self)?.decorators.filter { $0.key.typed == nil && !known.contains($0.key) } ?? [:]
    return idle.flatMap { service, decorators in decorators.map { (service, $0.id, $0.location) } }
  }
}
