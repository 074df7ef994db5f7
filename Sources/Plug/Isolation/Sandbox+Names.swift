// What names stand for in a sandbox.

extension Sandbox {
  package func find(_ environment: Environment) -> Injector {
    if let created = created(environment) ?? environment.present ?? placeholder(environment) { return created }
    let fresh = Injector(named: Injector.Name(environment), allowRewrite: isPreview, sandbox: number)
    var held = fresh
    change(environment) { claims, _ in held = claims.hold(fresh) }
    return held
  }

  /// Adds an injector that the test has created. It takes over what the test has done by its name before.
  package func claim(_ environment: Environment, for injector: Injector) {
    if let placeholder = placeholder(environment) { injector.takeOver(copy(of: placeholder)) }
    change(environment) { claims, seen in
      claims.leave(&seen)
      claims.claim(for: injector, &seen)
    }
  }

  /// What stands for an injector by its name since before the program created it.
  func placeholder(for injector: Injector) -> Injector? {
    guard injector.sandbox == 0, !injector.isScope, let environment = injector.name?.environment,
      environment.present === injector
    else { return nil }
    return known(environment)?.placeholder
  }

  private func created(_ environment: Environment) -> Injector? {
    var created: Injector?
    if known(environment) != nil { change(environment) { claims, seen in created = claims.found(&seen) } }
    return created ?? outer?.created(environment)
  }

  private func placeholder(_ environment: Environment) -> Injector? {
    known(environment)?.placeholder ?? outer?.placeholder(environment)
  }
}

extension Injector {
  /// Takes over what is registered in a placeholder. What a test has overridden there stays overridden, whatever is
  /// registered later.
  fileprivate func takeOver(_ placeholder: Injector) {
    for cell in placeholder.cells {
      (cell.registration.recipe as? Override)?.beginEarly()
      let own = cell.renewed
      state.withLock { $0.table.insert(own) }
    }
  }
}
