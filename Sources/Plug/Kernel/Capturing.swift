// Which injector keeps an instance, and whether one that outlives a scope would capture the scope's.

extension Injector {
  /// The injector that keeps the instance of a registration. Throws if an instance that outlives the injector would
  /// capture that instance.
  @inline(__always)
  func owner(of registration: Registration, _ stack: ResolutionStack) throws(InjectorError) -> Injector {
    let owner = owner(of: registration)
    try refuseCapture(of: registration, in: owner, stack)
    guard let owner else { throw failure(.scopeRequired, registration, stack.path) }
    return owner
  }

  /// Throws if an instance that outlives a scope would capture a service that the scope registered or keeps.
  @inline(__always) func refuseCapture(
    of registration: Registration, in scope: Injector?, _ stack: ResolutionStack
  ) throws(InjectorError) {
    if let scope, scope.isHome { return }
    if let steps = stack.capture(of: scope, for: self) { throw captured(registration, steps) }
  }

  /// Throws if an instance that outlives this scope would capture the scope's instance for a key.
  package func refuseCapture(of key: @autoclosure () -> Key) throws(InjectorError) {
    guard isScope, let steps = ThreadStack.current.with({ $0.capture(of: self, for: self) }) else { return }
    throw captured(Registration(key(), .scoped, AnyRecipe.unused, depth: depth, location: .unknown), steps)
  }
}
