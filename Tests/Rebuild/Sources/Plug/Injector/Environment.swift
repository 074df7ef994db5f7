/// A name of an injector, and the injector that code finds by it.
@usableFromInline
package final class Environment: Sendable {
  private struct Holder {
    weak var injector: Injector?
    /// Keeps a placeholder, which nothing else holds.
    var owned: Injector?
  }

  let name: String
  private let holder = Guarded(Holder())
  /// Whether it stands for `Injector.current`.
  let isOfTask: Bool

  private init(_ name: String, isOfTask: Bool = false) {
    self.name = name
    self.isOfTask = isOfTask
  }

  static let ofTask = Environment("current", isOfTask: true)

  /// The injector, if there is one.
  var present: Injector? { holder.withLock { $0.injector } }

  /// The injector; a placeholder, which the program keeps, if there is none.
  func findOutside() -> Injector {
    if let present { return present }
    let made = Injector(named: Injector.Name(self), allowRewrite: false, sandbox: 0)
    return holder.withLock { holder in
      if let injector = holder.injector { return injector }
      holder = Holder(injector: made, owned: made)
      return made
    }
  }

  /// Makes an injector the one of this name, unless another has it that is in use.
  ///
  /// - Returns: The injector that keeps the name.
  func claimOutside(for injector: Injector) -> Injector {
    var released: Injector?  // Outside of the lock, since a `deinit` may run then.
    defer { withExtendedLifetime(released) {} }
    return holder.withLock { holder in
      released = holder.injector
      if let present = holder.injector, holder.owned == nil || !present.isUntouched, !present.isClosedItself {
        return present
      }
      holder = Holder(injector: injector, owned: nil)
      return injector
    }
  }
}

extension Environment {
  private struct Known {
    var environments: [String: Environment] = [:]
    var limit = 16

    /// Forgets names that no code has any more.
    mutating func sweep() {
      for name in Array(environments.keys) where isKnownUniquelyReferenced(&environments[name]) {
        environments[name] = nil
      }
      limit = max(16, environments.count * 2)
    }
  }

  private static let known = Guarded(Known())

  static func named(_ name: String) -> Environment {
    known.withLock { known in
      if let environment = known.environments[name] { return environment }
      if known.environments.count >= known.limit { known.sweep() }
      let environment = Environment(name)
      known.environments[name] = environment
      return environment
    }
  }
}

extension Environment {
  func find() -> Injector {
    guard let redirection = Layers.redirection, !StaticInitialization.isRunning else { return findOutside() }
    return redirection.find(self)
  }

  /// Makes an injector the one of this name, unless another has it that is in use.
  func claim(for injector: Injector) -> Injector {
    guard injector.sandbox != 0, let redirection = Layers.redirection else { return claimOutside(for: injector) }
    return redirection.claim(self, for: injector)
  }
}
