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

  /// Takes over what another injector has, except for what is registered here already, and what has been removed here.
  func fill(from original: Injector, isPreview: Bool) {
    let (cells, phase, attachments) = original.state.withLock { ($0.cells, $0.phase, $0.attachments) }
    let copies = cells.filter { !hasRemoved($0.registration.key) && !has($0) }.map(\.fresh)
    let superfluous = state.withLock { state -> [Cell] in
      guard state.phase != .closed else { return copies }
      let superfluous = copies.filter { state.cell(of: $0.registration.key) != nil }
      for cell in copies where state.cell(of: cell.registration.key) == nil { state.table.insert(cell) }
      if state.phase == .open, phase != .sealed || !isPreview { state.phase = phase }
      return superfluous
    }
    withExtendedLifetime(superfluous) {}
    copyAttachments(attachments)
  }

  /// Whether there is something in the place of what an original has.
  private func has(_ cell: Cell) -> Bool {
    let key = cell.registration.key
    guard let own = state.withLock({ $0.cell(of: key) }) else { return false }
    (own.registration.recipe as? Override)?.waive()
    complete(own, from: cell)
    return true
  }

  /// Takes over the candidates that a point has got since it was copied, unless the copy has been changed or used.
  private func complete(_ own: Cell, from cell: Cell) {
    let key = cell.registration.key
    guard let selector = cell.selector, let copied = own.selector, copied.version == 0, copied.hasFewer(than: selector),
      let present = try? changeable(key, ignoresSeal: true), present.cell === own
    else { return }
    _ = replace(present, by: cell.fresh, key, ignoresSeal: true, ifUnused: true)
  }
}

extension Cell {
  /// A cell for a copy of the registration.
  fileprivate var fresh: Cell { mapping(as: registration.fresh) { Cell($0.registration.fresh) } }
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
