/// The decorators of one injector, by service. Immutable: a further decorator replaces it.
final class Decorations: CopiedAttachment {
  private let decorators: [Key: [Decoration]]

  init(_ decorators: [Key: [Decoration]] = [:]) { self.decorators = decorators }

  func copy(for injector: Injector) -> Decorations { self }

  subscript(key: Key) -> [Decoration] { decorators[key] ?? [] }

  func adding(_ decoration: Decoration, for key: Key) -> Decorations {
    Decorations(decorators.merging([key: [decoration]], uniquingKeysWith: +))
  }
}

extension AnyRecipe {
  /// This recipe with decorators around each instance.
  func decorated(by decorators: [Decoration]) -> AnyRecipe {
    var values = extras?.values ?? Extras.Values()
    values.wraps += decorators
    return AnyRecipe(
      { [self] _, injector in try make(self, injector) }, isolation.joined(with: decorators), needs, Extras(values))
  }
}

extension FactoryIsolation {
  fileprivate func joined(with decorators: [Decoration]) -> FactoryIsolation {
    decorators.reduce(self) { $0.joined(with: $1.isolation) }
  }
}

extension Registration {
  func with(_ recipe: AnyRecipe, instance: AnyBox? = nil, origin: Registration? = nil) -> Registration {
    Registration(
      key, lifetime, recipe, instance: instance, isChoice: isChoice, candidate: candidate,
      origin: origin ?? self.origin,
      isInheriting: isInheriting, depth: depth, location: location)
  }

  /// The ids of the decorators, innermost first.
  package var decorators: [String] {
    guard let values = recipe.extras?.values else { return [] }
    return values.inherited + values.wraps.map(\.id)
  }

  func decorated(by decorators: [Decoration]) -> Registration {
    with(recipe.decorated(by: decorators), instance: instance, origin: source)
  }

  /// The registration of a scope that decorates this one, which it inherits. It wraps the inherited instance. If that is
  /// kept around the scope, the scope keeps the result; what each scope inside keeps, they keep in both forms.
  func inherited(by scope: Injector, _ decorators: [Decoration], at location: CodeLocation) -> Registration {
    var values = Extras.Values()
    values.wraps = decorators
    values.inherited = self.decorators
    values.weaken = recipe.extras?.values.weaken
    values.weakType = recipe.extras?.values.weakType
    values.isEager = recipe.isLoaded || recipe.extras?.values.isEager == true
    let name = recipe.extras?.values.scopeName
    let isKeptInside = lifetime == .scoped && (name == nil || !scope.levels.contains { $0.scopeName == name })
    if isKeptInside { values.scopeName = name }
    let isKeptHere = isKept && lifetime != .weakSingleton && !isKeptInside
    let (key, depth) = (key, scope.depth)
    values.maker = maker.map { Maker($0.equality) { try $1.inherited(key, with: $0, below: depth) } }
    let inner = AnyRecipe(
      { _, injector in try injector.inherited(key, below: depth) }, .none.joined(with: decorators), recipe.needs,
      Extras(values))
    return Registration(
      key, isKeptHere ? .lazySingleton : lifetime, inner, isInheriting: true, depth: depth, location: location)
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
    attachment(Decorations.self).map { cell.decorated(by: $0[cell.registration.servedKey]) } ?? cell
  }

  /// The cell with which this scope decorates an inherited service; `nil` if it does not decorate it.
  func inheriting(_ key: Key) -> Cell? {
    guard let parent, let decorators = attachment(Decorations.self)?[key.served], let last = decorators.last,
      let cell = (try? parent.find(key)) ?? nil, cell.selector == nil
    else { return nil }
    return Cell(cell.registration.inherited(by: self, decorators, at: last.location))
  }

  /// Gets the instance that the scope at a depth inherits, as this injector sees it.
  fileprivate func inherited(
    _ key: Key, with arguments: AnyBox? = nil, below depth: Int32
  ) throws(InjectorError) -> AnyBox {
    let outer = level(at: depth - 1)
    while let cell = try outer.find(key) {
      if let box = try attempt(cell, true, with: arguments) { return box }
    }
    throw outer.absence(of: key)
  }
}
