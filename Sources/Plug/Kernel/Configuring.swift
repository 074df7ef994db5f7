// The configuration and publication of a session's instances.

extension ResolutionStack {
  /// Configures the instance that the topmost level has made.
  func configure(_ made: Session.Made) throws(InjectorError) {
    let session = openSession()
    session.made.append(made)
    session.made[session.made.count - 1].moment = own.frames.last?.moment ?? own.moment
    try configure(at: session.made.count - 1, of: session)
  }

  /// Runs the configurations of one instance, and publishes all instances if it was the last.
  private func configure(at index: Int, of session: Session) throws(InjectorError) {
    let made = session.made[index]
    let registration = made.registration
    let configurations = registration.recipe.extras?.values.configurations ?? []
    if !configurations.isEmpty {
      session.made[index].stage = .configuring
      session.made[index].runs += 1
      try enter(
        registration, for: made.injector, keeper: made.cell == nil ? .max : made.injector.depth, since: made.moment,
        isConfiguring: true)
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
        if session.made[index].isPutAside { return }
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
    if session.made[index].isPutAside { return }
    session.made[index].stage = .configured
    made.cell?.claim.withLock { $0.isConfigured = true }
    session.publishIfConfigured()
  }

  /// Puts the innermost configuration aside, because it has requested the instance that a level around it makes. It
  /// runs again at the end of that level.
  ///
  /// - Parameter injector: The injector of the level; `nil` if another thread has found the circle.
  func putAside(inside registration: Registration, of injector: Injector? = nil) {
    let outer = own.frames.lastIndex { frame in
      !frame.isConfiguring && frame.registration === registration
        && frame.injector == injector?.number ?? frame.injector
    }
    guard let session = own.session, let outer, let inner = own.frames[outer...].last(where: \.isConfiguring),
      let index = session.made.lastIndex(where: { $0.registration === inner.registration && $0.isConfiguring })
    else { return }
    let made = session.made[index]
    // An unshared instance that another run of such a configuration leads to would lead to another one.
    let isEndless =
      made.cell == nil
      && session.made[..<index].contains { other in
        other.registration === made.registration && other.injector === made.injector && other.isConfiguring
          && other.runs > 1
      }
    if isEndless { return }
    session.made[index].stage = .putAside(until: outer)
    session.awaited = max(session.awaited, outer)
  }

  /// Runs the configurations that waited for the level that has just ended.
  private func resume(_ session: Session) throws(InjectorError) {
    let level = own.frames.count
    guard session.awaited >= level else { return }
    session.awaited = level - 1
    var index = 0
    while index < session.made.count {
      if session.made[index].isPutAside(until: level) { try configure(at: index, of: session) }
      index += 1
    }
  }

  /// Leaves a level. Configures the instances that waited for it, and ends the session with the last level.
  func settle() throws(InjectorError) {
    guard let session = try endLevel() else { return }
    if !own.frames.isEmpty { return session.publishIfConfigured() }
    if !session.borrowed.isEmpty {
      do throws(InjectorError) {
        try WaitGraph.waitForEnd(of: session.borrowed, Asker(self))
      } catch {
        (own.session, own.load) = (nil, nil)
        session.take(from: 0).abandon(error)
        throw error
      }
    }
    (own.session, own.load) = (nil, nil)
    session.take(from: 0).publish()
  }

  private func endLevel() throws(InjectorError) -> Session? {
    let frame = own.frames.removeLast()
    guard let session = own.session else { return nil }
    do throws(InjectorError) {
      try resume(session)
    } catch {
      giveUp(session, from: frame, error)
      throw error
    }
    return session
  }

  /// Leaves the last level of a load.
  ///
  /// - Parameter id: The work that takes over the instances of this thread, if they have to wait.
  /// - Returns: The instances that have to wait, which do not block the thread; `nil` if all are published.
  func leaveLoad(for id: UInt) throws(InjectorError) -> Session.Rest? {
    guard own.frames.count == 1, own.session != nil else {
      try leave()
      return nil
    }
    guard let session = try endLevel() else { return nil }
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
