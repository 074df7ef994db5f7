// The configuration and publication of a session's instances.

extension ResolutionStack {
  /// Configures the instance that the topmost frame has made.
  func configure(_ made: Session.Made) throws {
    let session = openSession()
    session.made.append(made)
    session.made[session.made.count - 1].moment = own.frames.last?.moment ?? own.moment
    try configure(at: session.made.count - 1, of: session, .configuring)
  }

  /// Runs the configurations of one instance, and publishes all instances if it was the last.
  private func configure(at index: Int, of session: Session, _ act: Frame.Act) throws {
    let made = session.made[index]
    if let configurations = made.registration.recipe.extras?.values.configurations, !configurations.isEmpty {
      try enter(
        made.registration, for: made.injector, ownerDepth: made.cell == nil ? .max : made.injector.depth,
        since: made.moment, act)
      let outcome = Result { try run(configurations, of: made) }
      assert(session.made[index].box === made.box)
      if let outer = own.frames.removeLast().awaited {
        // The cycle around this configuration is not an error of the configuration.
        session.made[index].stage = .putAside(until: outer)
        return
      }
      try outcome.get()
    }
    session.made[index].stage = .configured
    made.cell?.claim.withLock { $0.construct(made.box, isConfigured: true) }
    session.publishIfConfigured()
  }

  private func run(_ configurations: [Configuration], of made: Session.Made) throws {
    var culprit: RequestFailure.Culprit?
    do {
      try Layers.running(made.registration, for: made.injector, isConfiguring: true) {
        for one in configurations {
          culprit = .configuration(one.location)
          try one.configure(made.inner ?? made.box, made.injector)
        }
      }
    } catch {
      throw made.injector.wrapping(error, made.registration, path, by: culprit ?? .factory)
    }
    if made.injector.isClosedItself { throw made.injector.closed(made.registration, path) }
  }

  /// Puts the innermost configuration aside, because it has requested the instance that a frame around it makes. It
  /// runs again at the end of that frame.
  ///
  /// - Parameter outer: The index of the frame that makes the requested instance.
  func putAside(until outer: Int) {
    guard let inner = own.frames[outer...].lastIndex(where: \.isConfiguring) else { return }
    let frame = own.frames[inner]
    // A repeated configuration has made this unshared instance, and would make another one each time it is put aside.
    let isEndless =
      frame.ownerDepth == .max
      && own.frames[..<inner].contains {
        $0.act == .configuringAgain && $0.registration === frame.registration && $0.injector == frame.injector
      }
    if isEndless { return }
    own.frames[inner].awaited = outer
    own.frames[outer].isAwaited = true
  }

  /// Puts the innermost configuration aside until this thread has made the instance of a cell.
  func putAside(inside cell: Cell) {
    if let outer = own.frames.lastIndex(where: { $0.cell == ObjectIdentifier(cell) }) { putAside(until: outer) }
  }

  /// Leaves a frame. Configures the instances that waited for it, and ends the session with the last frame.
  func settle() throws {
    guard let session = try endFrame() else { return }
    if !own.frames.isEmpty { return session.publishIfConfigured() }
    let (rest, asker) = (session.rest, Asker(self))
    (own.session, own.load) = (nil, nil)
    if let error = rest.finish(for: asker) { throw error }
  }

  /// Leaves the last frame, and configures what was put aside until its end.
  ///
  /// - Returns: The session; `nil` if there is none.
  private func endFrame() throws -> Session? {
    let frame = own.frames.removeLast()
    guard let session = own.session else { return nil }
    do {
      var index = frame.isAwaited ? Int(frame.made) : session.made.count
      while index < session.made.count {
        // The count is now the index of the frame that was left. A configuration may add to `made`.
        if case .putAside(until: own.frames.count) = session.made[index].stage {
          try configure(at: index, of: session, .configuringAgain)
        }
        index += 1
      }
    } catch {
      giveUp(session, from: frame, error)
      throw error
    }
    return session
  }

  /// Leaves the last frame of a load.
  ///
  /// - Parameter id: The work that takes over the instances of this thread, if they have to wait.
  /// - Returns: The instances that have to wait, which do not block the thread; `nil` if all are published.
  func leaveLoad(for id: UInt) throws -> Session.Rest? {
    guard own.frames.count == 1, own.session != nil else {
      try leave()
      return nil
    }
    guard let session = try endFrame() else { return nil }
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
    return session.rest
  }
}
