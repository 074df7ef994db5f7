extension Cell {
  /// Makes a constructed instance the one that everyone gets.
  ///
  /// - Returns: Why it cannot be; then it has been closed.
  func publish(_ service: Service, _ made: Service?, in injector: Injector) -> InjectorError? {
    if let weakInstance {
      if weakInstance.set(service) { return nil }
      return .lifetimeUnsupported(
        InjectorError.Facts(about: declaration, in: injector), lifetime: kind,
        reason: .valueType(WeakInstance.subjectName(of: service)))
    }
    // What was handed in, and can be closed as it is, has been kept since then.
    let isKept = isHandedIn
    if factory.isDecorated, let made { state.inner.publish(made) }
    instance.publish(service)
    if isKept || isStandalone { return nil }
    if injector.keep(self) {
      if kind != .singleton { Startup.current?.note(self, in: injector) }
      return nil
    }
    let context = ThreadContext.current
    context.afterSession { injector.close([self]) }
    // A factory that has opened a scope may close it before the end of the session, and goes on with what it has got.
    return context.hasCreated(injector) ? nil : injector.closed(InjectorError.Facts(about: declaration, in: injector))
  }

  /// Ends an attempt. If the registration has gone meanwhile, the instance is given up when the session has ended.
  func endAttempt(in injector: Injector) {
    let isReplaced = state.claim.withLock { claim in
      claim.attempt = nil
      return claim.status == .replaced
    }
    if isReplaced { ThreadContext.current.afterSession { injector.giveUp([self]) } }
  }

  /// Closes what has been made and is given to nobody, when the session has ended. What was handed in stays.
  func discard(_ made: Service, in injector: Injector) {
    guard kind != .singleton, let work = factory.closing?.work(on: made) else { return }
    ThreadContext.current.afterSession { CloseQueue([self], of: injector).discard(work, of: self, in: injector) }
  }
}
