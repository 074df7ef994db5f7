// The configuration and publication of a session's instances.

extension ResolutionStack {
  /// Configures the instance that the topmost level has made.
  func configure(_ made: Session.Made) throws(InjectorError) {
    let session = openSession()
    let index = session.made.count
    session.made.append(made)
    // The instances that wait for this one were made before it, and are configured before it.
    if made.cell != nil { try resume(session, made.registration) }
    let outer = own.frames.dropLast().last { !$0.isConfiguring && made.registration.hasWaited(for: $0.registration) }
    if let outer {
      try refuseCycle(of: made)
      session.made[index].stage = .postponed(until: outer.registration)
    } else {
      try configure(at: index, of: session)
    }
  }

  /// Configures the instances that waited for an instance that is now constructed or released.
  private func resume(_ session: Session, _ registration: Registration) throws(InjectorError) {
    while let index = session.made.firstIndex(where: { $0.isPostponed(until: registration) }) {
      try configure(at: index, of: session)
    }
  }

  /// Runs the configurations of one instance, and publishes all instances if it was the last.
  private func configure(at index: Int, of session: Session) throws(InjectorError) {
    let made = session.made[index]
    let registration = made.registration
    session.made[index].stage = .configuring
    let configurations = registration.recipe.extras?.values.configurations ?? []
    if !configurations.isEmpty {
      try enter(
        registration, for: made.injector, keeper: made.cell == nil ? .max : made.injector.depth, isConfiguring: true)
      defer { own.frames.removeLast() }
      var culprit: InjectorError.Facts.Culprit?
      do {
        try Layers.running(registration, for: made.injector, isConfiguring: true) { () throws in
          for one in configurations {
            culprit = .configuration(one.location)
            try one.configure(made.inner ?? made.box, made.injector)
          }
        }
      } catch {
        // A cycle around this configuration is not an error of the configuration.
        if case .postponed = session.made[index].stage { return }
        let error = InjectorError.wrapping(error, registration, in: made.injector, path, blaming: culprit)
        session.made[index].stage = .failed(error)
        throw error
      }
      if made.injector.isClosedItself {
        let error = made.injector.failure(.closed, registration, path)
        session.made[index].stage = .failed(error)
        throw error
      }
    }
    if case .configuring = session.made[index].stage { session.made[index].stage = .configured }
    publishIfConfigured(session)
  }

  /// Throws if the configuration of an unshared instance has led to the same registration again, which would not end.
  private func refuseCycle(of made: Session.Made) throws(InjectorError) {
    let outer = own.frames.firstIndex { frame in
      frame.isConfiguring && frame.registration === made.registration && frame.injector == made.injector.number
    }
    guard made.cell == nil, let outer else { return }
    let steps = steps(from: outer + 1)
    throw made.injector.cycle(steps + steps.prefix(1))
  }

  private func publishIfConfigured(_ session: Session) {
    guard session.borrowed.isEmpty, session.made.allSatisfy(\.isConfigured) else { return }
    session.take(from: 0).publish()
  }

  /// Postpones the innermost configuration that runs while the instance that it waits for is being made.
  func postpone(until registration: Registration) {
    guard let session = own.session,
      let outer = own.frames.lastIndex(where: { !$0.isConfiguring && $0.registration === registration }),
      let inner = own.frames[outer...].last(where: \.isConfiguring)?.registration,
      let index = session.made.lastIndex(where: { $0.registration === inner && !$0.isConfigured })
    else { return }
    session.made[index].stage = .postponed(until: registration)
    inner.noteWait(for: registration)
  }

  /// Leaves a level. Configures the instances that waited for it, and ends the session with the last level.
  func settle() throws(InjectorError) {
    let frame = own.frames.removeLast()
    guard let session = own.session else { return }
    if !frame.isConfiguring, !session.made.isEmpty {
      do throws(InjectorError) {
        // This service may still be under construction further out, from other arguments.
        let isOver = !own.frames.contains { !$0.isConfiguring && $0.registration === frame.registration }
        if isOver { try resume(session, frame.registration) }
        publishIfConfigured(session)
      } catch {
        giveUp(session, from: frame, error)
        throw error
      }
    }
    if own.frames.isEmpty { try end(session) }
  }

  /// Ends an outermost request: waits for the borrowed instances, and publishes its own.
  private func end(_ session: Session) throws(InjectorError) {
    do throws(InjectorError) {
      try configureRest(of: session)
      if !session.borrowed.isEmpty { try WaitGraph.waitForEnd(of: session.borrowed, Asker(self)) }
    } catch {
      (own.session, own.load) = (nil, nil)
      session.take(from: 0).abandon(error)
      throw error
    }
    (own.session, own.load) = (nil, nil)
    session.take(from: 0).publish()
  }
}

extension ResolutionStack {
  /// Configures, at the end of a request, the instances that waited for an instance that could not be made.
  private func configureRest(of session: Session) throws(InjectorError) {
    while let index = session.made.firstIndex(where: \.isPostponed) { try configure(at: index, of: session) }
    if let failed = session.made.first(where: \.hasFailed), case .failed(let error) = failed.stage { throw error }
  }

  /// Leaves the last level of a load.
  ///
  /// - Parameter id: The work that takes over the instances of this thread, if they have to wait.
  /// - Returns: The instances that have to wait, which do not block the thread; `nil` if all are published.
  func leaveLoad(for id: UInt) throws(InjectorError) -> Session.Rest? {
    guard own.frames.count == 1, let session = own.session else {
      try leave()
      return nil
    }
    let frame = own.frames.removeLast()
    do throws(InjectorError) {
      try resume(session, frame.registration)
      try configureRest(of: session)
    } catch {
      (own.session, own.load) = (nil, nil)
      session.take(from: 0).abandon(error)
      throw error
    }
    (own.session, own.load) = (nil, nil)
    if session.borrowed.isEmpty {
      session.take(from: 0).publish()
      return nil
    }
    for index in session.made.indices {
      let made = session.made[index]
      made.cell?.claim.withLock { $0.transfer(from: made.maker, to: id) }
      session.made[index].maker = id
    }
    return Session.Rest(made: session.made, borrowed: session.borrowed)
  }
}
