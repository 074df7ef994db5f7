import Synchronization

extension Injector {
  /// The injector that answers for this one: its private copy while the calling task is isolated, else itself.
  @inlinable
  func isolated(_ fileID: StaticString = "", _ line: UInt = 0) -> Injector {
    registrations.instrumentation.isActive ? isolatedOrEscaped(fileID, line) : self
  }

  @usableFromInline
  func isolatedOrEscaped(_ fileID: StaticString, _ line: UInt) -> Injector {
    if let sandbox = Sandbox.current { return isInSetUp ? self : sandbox.copy(of: self) }
    let isKnown = !fileID.hasPointerRepresentation || fileID.utf8CodeUnitCount > 0
    reportEscape(at: isKnown ? CodeLocation(fileID: "\(fileID)", line: Int(line)) : nil)
    return self
  }

  private var isInSetUp: Bool {
    guard isBeingSetUp.load(ordering: .relaxed) else { return false }
    let isRunning = StaticInitialization.isRunning
    if !isRunning { isBeingSetUp.store(false, ordering: .relaxed) }
    return isRunning
  }

  /// The same for one who sets something up: a static initializer does that for all.
  @usableFromInline
  func isolatedForSetUp(_ fileID: StaticString = "", _ line: UInt = 0) -> Injector {
    if registrations.instrumentation.isActive, Sandbox.current != nil, StaticInitialization.isRunning { return self }
    return isolated(fileID, line)
  }

  func isolatedForSetUp(at location: @autoclosure () -> CodeLocation) -> Injector {
    guard registrations.instrumentation.isActive else { return self }
    if Sandbox.current != nil { return isolatedForSetUp() }
    reportEscape(at: location())
    return self
  }

  private func reportEscape(at location: @autoclosure () -> CodeLocation?) {
    // What a factory then asks for is a part of the same escape.
    guard sandboxID == 0, ThreadContext.current.isIdle else { return }
    IsolatedObjects.report(
      Escape(injector: description, identity: identity, creator: creator, location: location()))
  }

  /// Whether only the isolated test sees the injector that the calling task is in: then what is sealed may change too.
  ///
  /// Soundness: reading what is sealed is unprotected only where instrumentation is inactive, and a sandbox does as
  /// long as anyone has it.
  var isPrivate: Bool { sandboxID != 0 && Sandbox.current?.number == sandboxID }

  /// Where an injector belongs that is being created: to the calling task's sandbox, unless a static initializer does
  /// it.
  static func origin(with registrations: Registrations) -> (sandboxID: UInt, isBeingSetUp: Bool) {
    guard registrations.instrumentation.isActive, let sandbox = Sandbox.current else { return (0, false) }
    return StaticInitialization.isRunning ? (0, true) : (sandbox.number, false)
  }

  /// What an isolated test has put aside for a copy that has not been made, if nobody records what is asked for.
  @usableFromInline
  func overridden(_ type: ObjectIdentifier, _ tag: Tag?) -> AnyEntry? {
    guard registrations.instrumentation.isActive, ThreadContext.current.isIdle else { return nil }
    return Sandbox.current?.override(type, tag, of: self)
  }
}
