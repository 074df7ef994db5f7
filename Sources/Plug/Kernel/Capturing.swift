// Which injector keeps an instance, and whether one that outlives a scope would capture the scope's.

extension Injector {
  /// The injector that keeps the instance of a registration. Throws if an instance that outlives the injector would
  /// capture that instance.
  @inline(__always)
  func owner(of registration: Registration, _ stack: ResolutionStack) throws -> Injector {
    let owner = owner(of: registration)
    try refuseCapture(of: registration, in: owner, stack)
    guard let owner else { throw failure(.scopeRequired, registration, stack.path) }
    return owner
  }

  /// Throws if an instance that outlives a scope would capture a service that the scope registered or keeps.
  @inline(__always) func refuseCapture(
    of registration: Registration, in scope: Injector?, _ stack: ResolutionStack
  ) throws {
    if let scope, scope.isHome { return }
    if let steps = stack.capture(of: scope, for: self) { throw failure(.captured(steps), registration) }
  }

  /// Throws if an instance that outlives this scope would capture the scope's instance for a key.
  package func refuseCapture(of key: @autoclosure () -> Key) throws {
    guard isScope, let steps = ThreadStack.current.with({ $0.capture(of: self, for: self) }) else { return }
    throw failure(.captured(steps), Registration(unknown: key(), depth: depth))
  }
}
