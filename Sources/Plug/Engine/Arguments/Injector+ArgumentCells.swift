extension Injector {
  /// The cells of what an entry makes from arguments, which are kept here.
  ///
  /// - Parameter depth: How deep the outermost injector lies whose later decorators would not wrap the instances.
  /// - Returns: `nil` if the injector has been closed, or what is registered has gone.
  func argumentCells(of entry: AnyEntry, noteFrom depth: Int32) -> ArgumentCells? {
    if let known = instanceStore.withLock({ $0.known?.argumentCells[entry] }) { return known }
    for outer in outerInjectors(from: depth) {
      outer.instanceStore.withLock { $0.extras.keptInside.insert((), for: entry) }
    }
    let cells = unlessSuperseded(entry) { store in
      store.isClosed ? nil : store.extras.argumentCells.insert(ArgumentCells(keptBy: self), for: entry)
    }
    return cells ?? nil
  }

  /// Forgets what an entry has made from arguments.
  func forgetArguments(of entry: AnyEntry) {
    let forgotten = instanceStore.withLock { store in
      (store.known?.keptInside.remove(entry), store.known?.argumentCells.remove(entry))
    }
    forgotten.1?.value.removeAll(isLast: true)
  }
}
