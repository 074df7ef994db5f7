extension Injector {
  /// Gets what a key stands for from here, or from what this is a scope of; if it is nowhere, from what is then made
  /// and stored in the outermost injector.
  func get<Key: TypedKey, Instance: Sendable>(
    _ key: Key.Type, tag: Tag? = nil, _ fileID: StaticString = "", _ line: UInt = 0,
    orStore make: () -> Cell<Instance>
  ) throws(InjectorError) -> Instance where Key.Stored == Entry<Instance> {
    try withActiveInjector(ServiceKey(key, tag), fileID, line) { injector throws(InjectorError) in
      if let entry = try injector.lookUp(key, tag) { return try entry.instance(for: injector) }
      let (cell, root) = (make(), injector.root)
      try root.check(cell)
      let entry = root.reservingPlace(of: cell) {
        let entry = root.registrations.ensure(key, cell)
        if cell.isClosable, entry?.plain?.descends(from: cell) == true { root.keepHandedIn([cell]) }
        return entry
      }
      guard let entry else { throw injector.closed(ServiceKey(key, tag)) }
      return try injector.overlaid(entry, registeredAt: root.depth).instance(for: injector)
    }
  }
}
