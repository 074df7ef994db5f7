// Registrations in copies, and the injectors that names refer to in a sandbox.

extension Registration {
  /// The registration in a copy. An object that was handed in is not configured there, as the original shares it.
  var fresh: Registration {
    guard isConfigured, let instance, let values = recipe.extras?.values, values.isObject?(instance) ?? false else {
      return with(recipe, instance: instance)
    }
    let refused = AnyRecipe(
      { [self] _, injector in throw injector.failure(.shared, self, Level.current.with { $0.path }) },
      recipe.isolation, recipe.needs, recipe.extras)
    return with(refused)
  }
}

extension Sandbox {
  package func find(_ environment: Environment) -> Injector {
    for sandbox in sequence(first: self, next: \.outer) {
      if let own = environment.created(in: sandbox.number, where: isOpen) { return own }
    }
    return environment.created(in: 0, where: isOpen) ?? environment.placeholder
  }

  /// Whether the copy of an injector, or the injector itself if it has no copy yet, is open.
  private func isOpen(_ injector: Injector) -> Bool {
    let copy = sequence(first: self, next: \.outer).lazy.compactMap { $0.known(injector) }.first
    return !(copy ?? injector).isClosedItself
  }
}
