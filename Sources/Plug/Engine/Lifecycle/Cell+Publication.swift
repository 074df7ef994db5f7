import Synchronization

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
    if !isKept { return keep(in: injector) { instance.publish(service) } }
    instance.publish(service)
    return nil
  }

  /// Whether an instance that has been loaded is published as it is, and nobody wants to know.
  func isPublishedAsMade(in injector: Injector) -> Bool {
    !factory.isDecorated && factory.setup == nil && kind != .weakSingleton
      && !(injector.registrations.isWatched && injector.nearestTracer != nil)
  }

  /// Makes an instance that has been loaded the one that everyone gets. As long as the load goes on, nobody makes
  /// another, and nothing takes the place of the cell but what gives up its instance.
  ///
  /// - Returns: Why it cannot be; then it has been closed.
  func publish(_ loaded: Service, _ record: RunRecord?, in injector: Injector) -> InjectorError? {
    if let record { finishRecording(record, isConfigured: false) }
    if let failure = keep(in: injector, { instance.publish(loaded) }) { return failure }
    if isReplaced { injector.giveUp([self]) }
    return nil
  }

  /// Keeps a place for an instance that others may get from now on, and that is published later.
  func reserve(in injector: Injector) {
    if kind != .weakSingleton, !isHandedIn, !isStandalone { injector.reserve(self) }
  }

  /// Keeps an instance that has been made, as soon as everyone gets it: what is made from it has to come later.
  ///
  /// - Parameter publish: Makes it the one that everyone gets.
  /// - Returns: Why it cannot be kept; then it has been closed.
  func keep(in injector: Injector, _ publish: () -> Void) -> InjectorError? {
    if isStandalone {
      publish()
      return nil
    }
    if kind != .singleton { Startup.current?.note(self, in: injector) }
    if injector.keep(self, publish) { return nil }
    let context = ThreadContext.current
    context.afterSession { injector.close([self]) }
    // A factory that has opened a scope may close it before the end of the session, and goes on with what it has got.
    return context.hasCreated(injector) ? nil : injector.closed(InjectorError.Facts(about: declaration, in: injector))
  }

  /// Ends an attempt. If the registration has gone meanwhile, the instance is given up when the session has ended.
  ///
  /// - Returns: The attempt, if there is one.
  @discardableResult
  func endAttempt(in injector: Injector) -> Attempt? {
    let (attempt, isReplaced) = state.claim.withLock { claim in
      let attempt = claim.attempt
      claim.attempt = nil
      if attempt != nil, claim.status == .own {
        maker.store(Making.nobody, ordering: .sequentiallyConsistent)
      } else if claim.status == .replaced {
        _ = beginAttempt()
      }
      return (attempt, claim.status == .replaced)
    }
    if isReplaced { ThreadContext.current.afterSession { injector.giveUp([self]) } }
    return attempt
  }

  /// Puts an instance aside that has been made without an attempt, until its session ends.
  func postpone(_ service: Service, _ making: Making, for injector: Injector) throws(InjectorError) {
    let context = making.context
    let fresh = TypedAttempt(Recipe(cell: self, injector: injector), owner: context)
    let known = state.claim.withLock { claim in
      maker.store(Making.anAttempt, ordering: .sequentiallyConsistent)
      let attempt = claim.attempt ?? fresh
      claim.attempt = attempt
      return attempt
    }
    let attempt = unsafe unsafeDowncast(known, to: TypedAttempt<Service>.self)
    attempt.service = service
    if isClosable { attempt.made = service }
    making.leave(isMade: true)
    context.postpone(attempt)
    if let failure = making.settle(nil) { throw failure }
  }

  /// Closes what has been made and is given to nobody, when the session has ended. What was handed in stays.
  func discard(_ made: Service, in injector: Injector) {
    guard kind != .singleton, let work = factory.closing?.work(on: made) else { return }
    ThreadContext.current.afterSession { CloseQueue([self], of: injector).discard(work, of: self, in: injector) }
  }
}
