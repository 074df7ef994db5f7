// Registrations in copies, and the injectors that names find in a sandbox.

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
    if let found = created(environment) ?? environment.owners.first ?? placeholder(environment) { return found }
    let fresh = Injector(named: Injector.Name(environment), allowRewrite: kind != .test, sandbox: number)
    return environment.isolated(by: self).change { $0.hold(fresh) }
  }

  /// Adds an injector that the test has created.
  package func claim(_ environment: Environment, for injector: Injector) {
    environment.isolated(by: self).change { $0.add(injector) }
  }

  /// The injector that represented this one by its name before the program created it.
  func placeholder(for injector: Injector) -> Injector? {
    guard injector.sandbox == 0, !injector.isScope, let environment = injector.name?.environment,
      environment.owners.first === injector
    else { return nil }
    return environment.isolated(by: self).owners.placeholder
  }

  private func created(_ environment: Environment) -> Injector? {
    environment.isolated(by: self).change { $0.find(isCreated: true) } ?? outer?.created(environment)
  }

  private func placeholder(_ environment: Environment) -> Injector? {
    environment.isolated(by: self).owners.placeholder ?? outer?.placeholder(environment)
  }
}
