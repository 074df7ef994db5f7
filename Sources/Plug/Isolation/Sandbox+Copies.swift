extension Injector {
  /// Makes an injector with the registrations of another one, whose instances are its own.
  convenience init(copying original: Injector, in parent: Injector?, sandbox: UInt, isPreview: Bool) {
    if let parent {
      self.init(scope: original.scopeName ?? "scope", of: parent, isCopy: true)
    } else {
      self.init(
        named: original.name, allowRewrite: original.allowRewrite || isPreview, sandbox: sandbox,
        isHome: original.isHome)
    }
    fill(from: original, isPreview: isPreview)
  }

  /// Takes over what another injector has, except for what is registered here already.
  func fill(from original: Injector, isPreview: Bool) {
    let (cells, phase, attachments) = original.state.withLock { ($0.cells, $0.phase, $0.attachments) }
    let copies = cells.map(\.fresh)
    let replaced = state.withLock { state -> [Cell] in
      guard state.phase != .closed else { return copies }
      let replaced = copies.filter { state.cell(of: $0.registration.key) != nil }
      for cell in copies where state.cell(of: cell.registration.key) == nil { state.table.insert(cell) }
      if state.phase == .open, phase != .sealed || !isPreview { state.phase = phase }
      return replaced
    }
    withExtendedLifetime(replaced) {}
    copyAttachments(attachments)
  }
}

extension Cell {
  /// A cell for a copy of the registration.
  fileprivate var fresh: Cell {
    guard let selector else { return Cell(registration.fresh) }
    let order = selector.order
    return Cell(registration.fresh, selector: selector.copy(of: order, with: order.cells.map(\.registration.fresh)))
  }
}

extension Registration {
  /// The registration in a copy. An object that was handed in is not configured there, as it is not a copy.
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
