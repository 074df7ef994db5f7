/// What a name stands for in a sandbox.
struct LocalEnvironment: Sendable {
  let environment: Environment
  fileprivate(set) weak var injector: Injector?
  /// Keeps an injector that was made by a look-up.
  fileprivate var owned: Injector?
}

extension Sandbox {
  /// The injector that a name finds here; one is made if there is none.
  func find(_ environment: Environment) -> Injector {
    if let present = present(environment) { return present }
    let fresh = Injector(environment: environment, home: number)
    return state.withLock { state in
      if let first = state.environments[ObjectIdentifier(environment)]?.injector { return first }
      state.environments[ObjectIdentifier(environment)] = LocalEnvironment(
        environment: environment, injector: fresh, owned: fresh)
      return fresh
    }
  }

  private func present(_ environment: Environment) -> Injector? {
    let local = local(environment)
    if let local, local.owned == nil { return local.injector }
    if let outside = environment.present {
      adopt(outside)
      return outside
    }
    return local?.injector
  }

  /// What a name finds here, and nowhere else.
  private func local(_ environment: Environment) -> LocalEnvironment? {
    let own = state.withLock { $0.environments[ObjectIdentifier(environment)] }
    return own?.injector == nil ? outer?.local(environment) : own
  }

  /// Takes what the test has done to the injector that a name found, before the program had created it, as done to that.
  func adopt(_ injector: Injector) {
    guard let environment = injector.name?.environment, injector.home == 0, let local = local(environment)?.owned,
      environment.present === injector
    else { return }
    for sandbox in sequence(first: self, next: \.outer) {
      // What is replaced or forgotten is released outside of the lock.
      let gone = sandbox.state.withLock { state in
        let own = local.home == sandbox.number ? local : state.copy(of: local)
        let changes = own?.registrations.stored.filter { !$0.isCopy } ?? []
        let replaced = (changes + state.takeOverrides(of: local)).map { state.putAside($0, for: injector) }
        return (replaced, state.environments.removeValue(forKey: ObjectIdentifier(environment)))
      }
      withExtendedLifetime(gone) {}
    }
  }

  /// Makes an injector what a name finds here, unless another is it already that has been created or has registrations.
  func claim(_ environment: Environment, for injector: Injector) {
    if let present = present(environment), !copy(of: present).registrations.isEmpty { return }
    let old = state.withLock { state in
      state.environments.updateValue(
        LocalEnvironment(environment: environment, injector: injector), forKey: ObjectIdentifier(environment))
    }
    withExtendedLifetime(old) {}
  }
}
