extension Injector {
  /// The environment of a name: the injector that is found by it from anywhere.
  ///
  /// The first injector that is created with a name is its environment, for as long as it lives. If there is none, one is
  /// made here and kept until the program ends; while nothing is registered in that one, an injector that is created with
  /// the name takes its place.
  public static subscript(name: Name) -> Injector {
    if name == .default { return .default }
    return Environments.find(name)
  }
}

/// The environments of this process.
enum Environments {
  private struct Environment {
    let id: ObjectIdentifier
    weak var injector: Injector?
    /// Keeps an injector that was made by a look-up.
    var owned: Injector?
  }

  private static let table = Guarded<[Injector.Name: Environment]>([:])

  static func find(_ name: Injector.Name) -> Injector {
    table.withLock { table in
      if let injector = table[name]?.injector { return injector }
      let made = Injector(environment: name)
      table[name] = Environment(id: ObjectIdentifier(made), injector: made, owned: made)
      return made
    }
  }

  static func claim(_ name: Injector.Name, for injector: Injector) {
    // The old one leaves the closure alive: releasing the last reference under the lock would run its deinit there.
    let old = table.withLock { table -> Injector? in
      let old = table[name]?.injector
      let isPlaceholder = table[name]?.owned?.registry.isEmpty == true
      if old == nil || isPlaceholder {
        table[name] = Environment(id: ObjectIdentifier(injector), injector: injector, owned: nil)
      }
      return old
    }
    withExtendedLifetime(old) {}
  }

  static func release(_ name: Injector.Name, by id: ObjectIdentifier) {
    table.withLock { table in
      if table[name]?.id == id { table[name] = nil }
    }
  }
}
