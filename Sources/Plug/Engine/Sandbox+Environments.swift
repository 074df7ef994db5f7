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
    let own = state.withLock { $0.environments[ObjectIdentifier(environment)]?.injector }
    return own ?? outer?.present(environment) ?? (outer == nil ? environment.present : nil)
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
