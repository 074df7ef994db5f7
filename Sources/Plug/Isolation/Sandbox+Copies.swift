// The contents of copies, and the injectors that names find in a sandbox.

extension Injector {
  /// Copies the registrations of another injector, except for services that this one has registered or removed.
  func fill(from original: Injector, isOpen: Bool) {
    let (cells, phase, attachments) = original.state.withLock { ($0.cells, $0.phase, $0.attachments) }
    let copies = cells.filter { !hasRemoved($0.registration.key) && !has($0) }.map(\.fresh)
    state.withLock { state in
      if state.phase == .closed { return }
      for cell in copies where state.cell(of: cell.registration.key) == nil { state.table.insert(cell) }
      if state.phase == .open, phase != .sealed || !isOpen { state.phase = phase }
    }
    withExtendedLifetime(copies) {}  // Replaced objects are released outside the lock.
    copyAttachments(attachments)
  }

  /// Whether a copy has a cell for the key of an original's cell. The cell gains candidates that a point has got since
  /// it was copied, unless the copy has been changed or used.
  private func has(_ cell: Cell) -> Bool {
    let key = cell.registration.key
    guard let own = state.withLock({ $0.cell(of: key) }) else { return false }
    own.registration.override?.waive()
    if let selector = cell.selector, let copied = own.selector, copied.version == 0, copied.hasFewer(than: selector),
      let present = try? changeable(key, ignoresSeal: true), present.cell === own
    {
      _ = replace(present, by: cell.fresh, key, ignoresSeal: true, ifUnused: true)
    }
    return true
  }
}

extension Cell {
  /// A cell for a copy of the registration.
  fileprivate var fresh: Cell { mapping(as: registration.fresh) { Cell($0.registration.fresh) } }
}

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
    let fresh = Injector(named: Injector.Name(environment), allowRewrite: isOpen, sandbox: number)
    return environment.isolated(by: self).change { $0.hold(fresh) }
  }

  /// Adds an injector that the test has created. It takes over the changes that the test has made by its name before:
  /// those overrides stay, whatever is registered later.
  package func claim(_ environment: Environment, for injector: Injector) {
    for cell in placeholder(environment).map({ copy(of: $0).cells }) ?? [] {
      cell.registration.override?.beginEarly()
      let own = cell.renewed
      injector.state.withLock { $0.table.insert(own) }
    }
    environment.isolated(by: self).change { $0.add(injector, takesOver: true) }
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
