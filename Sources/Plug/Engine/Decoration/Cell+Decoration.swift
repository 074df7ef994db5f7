extension Cell {
  /// The same with instances that are wrapped by what does not wrap them yet.
  ///
  /// - Parameter decorations: In declared order.
  func wrapped(by decorations: [AnyDecoration]) -> Cell {
    let known = factory.extras?.decorations ?? []
    let new = typed(decorations.filter { decoration in !known.contains { $0 === decoration } })
    if new.isEmpty { return self }
    var factory = Injection<Service>.Factory(factory)
    var inner = unsafe existingState?.inner.pointer(to: Service.self)
    // What was handed in, and has not been changed.
    if kind == .singleton, !factory.needsSetup, known.isEmpty, let given = unsafe instance.pointer(to: Service.self) {
      factory = unsafe factory.giving(given.pointee)
      unsafe inner = given
    }
    let cell = Cell(decorating: self, factory.decorated(by: new), kind)
    if isClosable, let inner = unsafe inner { unsafe cell.state.inner.publish(inner.pointee) }
    return cell
  }

  /// What a scope has in place of this, which is registered in another: if that keeps the instance, one more that wraps
  /// it, and is held as strongly; else the same with instances that are wrapped.
  ///
  /// Soundness of the cast: what a scope has in place of a cell is a cell of the same service.
  ///
  /// - Parameter known: Gives what the scope has already.
  func wrapped(
    by decorations: [AnyDecoration], in level: Int32, unlessKnown known: (AnyEntry) -> AnyEntry?
  ) -> Cell {
    if let known = known(self) { return unsafe unsafeDowncast(known, to: Cell.self) }
    let decorations = typed(decorations)
    let cell: Cell
    if kind.isKept, kind != .scoped {
      let core = Injection<Service>.Factory.Core(
        .from { [self] injector in try instance(for: injector.parent ?? injector) }, knowledge: knowledge)
      cell = Cell(
        decorating: self, Injection.Factory(core).decorated(by: decorations),
        kind == .weakSingleton ? .weakSingleton : .lazySingleton, outerDecorators: decorators)
    } else {
      cell = Cell(decorating: self, Injection.Factory(factory).decorated(by: decorations), kind)
    }
    cell.settle(at: level)
    return cell
  }

  /// Soundness of the cast: a decoration is kept under the key of its own service, or of a provider of that, and asked
  /// for with that of an entry.
  private func typed(_ decorations: [AnyDecoration]) -> [Decoration<Service>] {
    decorations.map { unsafe unsafeDowncast($0, to: Decoration<Service>.self) }
  }
}
