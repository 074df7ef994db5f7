extension Injection {
  /// A recipe for an instance: the code that makes it, the actor it is isolated to, and its configurations and
  /// closings.
  ///
  /// The cases of ``Injection`` contain factories. Each case has forms that take a closure or an initializer:
  /// `.scoped { MemoryCache() }`, `.scoped(wiring: DiskCache.init)`.
  public struct Factory: Sendable {
    @usableFromInline let recipe: Recipe<Service>

    @usableFromInline
    init(_ recipe: Recipe<Service>) { self.recipe = recipe }

    @inlinable
    init(_ make: @escaping @isolated(any) @Sendable () throws -> Service) {
      self.init(Recipe(on: make.isolation, .nothing, erasingIsolation(of: .plain(make))))
    }

    @inlinable
    init(_ make: @escaping @isolated(any) @Sendable (Injector) throws -> Service) {
      self.init(Recipe(on: make.isolation, .opaque, erasingIsolation(of: .injected(make))))
    }

    @inlinable
    init<each Dependency: Sendable>(
      wiring initializer: @escaping @isolated(any) @Sendable (repeat each Dependency) throws -> Service
    ) {
      let make = erasingIsolation(of: initializer)
      let needs = Needs.wired(Key.each(repeat (each Dependency).self))
      self.init(
        Recipe(
          on: initializer.isolation, needs,
          .injected { injector in try make(repeat injector.wired((each Dependency).self)) }))
    }

    init(
      _ needs: Needs = .opaque, loading load: @escaping @Sendable @concurrent (Injector) async throws -> Service
    ) {
      recipe = Recipe(needs, .unused).changed { $0.load = { Box<Service>(try await load($0)) } }
    }

    init<each Dependency: Sendable>(
      loadingWiring initializer: @escaping @Sendable @concurrent (repeat each Dependency) async throws -> Service
    ) {
      self.init(.wired(Key.each(repeat (each Dependency).self))) { injector in
        try await initializer(repeat injector.loadWired((each Dependency).self))
      }
    }

    /// Creates a factory that returns an existing instance.
    init(giving service: Service) { recipe = Recipe(.nothing, .plain { service }) }

    /// The absent factory of a service that each scope registers itself.
    static var absent: Self { Self(Recipe(.absent, .unused)) }
  }
}

extension Key {
  @usableFromInline
  static func each<each Service>(_ services: repeat (each Service).Type, tag: Injector.Tag? = nil) -> [Key] {
    var keys: [Key] = []
    repeat keys.append(Key((each Service).self, tag))
    return keys
  }
}

extension Injector {
  /// Gets the value of a parameter. Parameter packs are never specialized, so this function need not be, either.
  @usableFromInline
  func wired<Service>(_ service: Service.Type) throws -> Service {
    try box(for: Key(service)).open()
  }

  fileprivate func loadWired<Service>(_ service: Service.Type) async throws(InjectorError) -> Service {
    try await loadedBox(for: Key(service)).open()
  }
}

/// An injection in the kernel's form.
@usableFromInline
package struct Definition: Sendable {
  let lifetime: Lifetime
  let recipe: AnyRecipe
  let instance: AnyBox?

  @usableFromInline
  init(_ lifetime: Lifetime, _ recipe: AnyRecipe, instance: AnyBox? = nil) {
    (self.lifetime, self.recipe, self.instance) = (lifetime, recipe, instance)
  }

  /// This definition, with a closure that runs when an instance is requested. Returns `nil` for an asynchronous
  /// factory, and for a given instance that is closed or configured.
  package func noting(_ note: @escaping @Sendable () -> Void) -> Definition? {
    let values = recipe.extras?.values
    let isChanged = values.map { !$0.closings.isEmpty || !$0.configurations.isEmpty } ?? false
    if values?.load != nil || instance != nil && isChanged { return nil }
    let make: AnyRecipe.Make = { [self] _, injector in
      note()
      return try instance ?? recipe.make(recipe, injector)
    }
    return Definition(
      lifetime, AnyRecipe(make, recipe.isolation, recipe.needs, recipe.extras ?? Extras(Extras.Values())))
  }
}

extension Registration {
  /// A registration of an injection under the key of a layer.
  package convenience init(_ key: Key, _ definition: Definition, depth: Int32, location: CodeLocation) {
    self.init(
      key, definition.lifetime, definition.recipe, instance: definition.instance, depth: depth, location: location)
  }
}

extension Injection {
  @usableFromInline package var definition: Definition {
    switch self {
    case .singleton(let service): return Definition(.singleton, .unused, instance: Box(service))
    case .lazySingleton(let service?, let factory):
      // A given instance is never made again.
      return Definition(.singleton, factory.recipe, instance: Box(service))
    case .lazySingleton(nil, let factory): return Definition(.lazySingleton, factory.recipe)
    case .weakSingleton(let factory): return Definition(.weakSingleton, factory.weakened.recipe)
    case .scoped(let factory): return Definition(.scoped, factory.recipe)
    case .graph(let factory): return Definition(.graph, factory.recipe)
    case .factory(let factory): return Definition(.factory, factory.recipe)
    }
  }
}

extension Injection.Factory {
  /// The factory for an instance that is held weakly.
  fileprivate var weakened: Self {
    changed { values in
      values.weaken = WeakInstance.weakening(Service.self)
      values.weakType = Service.self
    }
  }

  func changed(
    isolation: FactoryIsolation? = nil, needs: Needs? = nil, _ change: (inout Extras.Values) -> Void = { _ in }
  ) -> Self { Self(recipe.changed(isolation: isolation, needs: needs, change)) }

  /// Returns a factory whose instances are kept by the scopes with a name; `nil` for every scope.
  @usableFromInline
  func kept(in scope: String?) -> Self {
    guard let scope else { return self }
    return changed { $0.scopeName = scope }
  }
}
