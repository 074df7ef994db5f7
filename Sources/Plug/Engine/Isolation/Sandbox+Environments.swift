/// What a name stands for in a sandbox.
struct LocalEnvironment: Sendable {
  let environment: Environment
  fileprivate(set) weak var injector: Injector?
  /// An injector that was made by a look-up: it is kept until the program creates one of that name.
  fileprivate var placeholder: Injector?
}

extension Sandbox {
  /// The injector that a name finds here; one is made if there is none.
  func find(_ environment: Environment) -> Injector {
    if let present = present(environment) { return present }
    if StaticInitialization.isRunning { return environment.findOutside() }
    let fresh = Injector(environment: environment, sandboxID: number)
    return state.withLock { state in
      if let first = state.environments[ObjectIdentifier(environment)]?.injector { return first }
      state.environments[ObjectIdentifier(environment)] = LocalEnvironment(
        environment: environment, injector: fresh, placeholder: fresh)
      return fresh
    }
  }

  private func present(_ environment: Environment) -> Injector? {
    let local = local(environment)
    if let local, local.placeholder == nil { return local.injector }
    return environment.present ?? local?.injector
  }

  /// What a name finds here, and nowhere else.
  private func local(_ environment: Environment) -> LocalEnvironment? {
    let own = state.withLock { $0.environments[ObjectIdentifier(environment)] }
    return own?.injector == nil ? outer?.local(environment) : own
  }

  /// What the name of an injector has found here, before the program had created that.
  func placeholder(for injector: Injector) -> Injector? {
    guard injector.sandboxID == 0, let environment = injector.name?.environment,
      let placeholder = local(environment)?.placeholder, environment.present === injector
    else { return nil }
    return placeholder
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

extension SandboxState {
  /// Gives up what a name has found.
  ///
  /// - Parameter number: That of the sandbox.
  /// - Returns: What the test has changed here: the placeholder, or the copy of that.
  mutating func leave(_ placeholder: Injector, in number: UInt) -> Injector? {
    guard let environment = placeholder.name?.environment else { return nil }
    environments[ObjectIdentifier(environment)] = nil
    return placeholder.sandboxID == number ? placeholder : copy(of: placeholder)
  }
}

extension Injector {
  /// Takes what a test has done to a placeholder as done to this copy.
  func takeOver(from placeholder: Injector) {
    for entry in placeholder.registrations.stored where !entry.isCopy { _ = registrations.ensure(entry) }
    let kept = placeholder.instanceStore.withLock { $0.cells.takeKept().takeCells() }
    instanceStore.withLock { $0.keepFirst(kept) }
  }
}

extension Environment {
  /// The injector; one is made if there is none.
  func find() -> Injector {
    if Instrumentation.shared.isActive, let sandbox = Sandbox.current { return sandbox.find(self) }
    return findOutside()
  }

  /// Makes the injector the environment, for the isolated test that it belongs to or for the program.
  func claim(for injector: Injector) {
    if injector.sandboxID != 0, let sandbox = Sandbox.current { return sandbox.claim(self, for: injector) }
    claimOutside(for: injector)
  }
}
