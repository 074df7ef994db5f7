// Making the chosen candidate.
extension Choice {
  /// Makes the first candidate that applies and can be made.
  ///
  /// - Parameter isDrawn: Whether the identifier keeps a candidate that is drawn.
  mutating func makeFirst(isDrawn: Bool = true) throws -> AnyBox? {
    try injector.refuseCapture(of: service)
    while !hasLost, try next() {
      guard let box = try make() else { continue }
      if isDrawn { keep() }
      return box
    }
    if let error = rare?.failures.lazy.compactMap(\.error).first { throw error }
    return nil
  }

  /// Makes all candidates that apply and can be made.
  mutating func makeAll() throws -> [(id: String, box: AnyBox)] {
    try injector.refuseCapture(of: service)
    var boxes: [(id: String, box: AnyBox)] = []
    for position in try all() where !hasLost {
      self.position = position
      if let box = try make() { boxes.append((candidate.id, box)) }
    }
    return boxes
  }

  /// Makes the chosen candidate.
  ///
  /// - Returns: `nil` if the candidate is passed over.
  private mutating func make() throws -> AnyBox? {
    let entry = candidate
    if entry.candidateGuard == nil, !Layers.areWatched, !Layers.isRedirecting {
      return try provide(entry.cell) ?? lose()
    }
    return try makeWatched(entry)
  }

  /// Makes a candidate whose construction a policy decides about, or which hooks see.
  @inline(never)
  private mutating func makeWatched(_ entry: Entry) throws -> AnyBox? {
    let registration = entry.cell.registration
    var (attempt, round): ((any CandidateAttempt)?, LoadRound?)
    if let candidateGuard = entry.candidateGuard {
      round = ThreadStack.current.with { $0.own.round }
      attempt = round?.take(registration) ?? candidateGuard.attempt(at: registration)
      if attempt == nil { return pass(nil) }
    }
    Layers.note(.chosen(self), in: injector)
    do {
      guard let box = try provide(entry.cell) else { return lose() }
      _ = attempt?.end(nil)
      Layers.note(.given(self), in: injector)
      (Layers.watch as? any ChoiceHooks)?.note(.given(self), in: injector)
      return box
    } catch {
      if let attempt, let round, error.isRetried {
        round.keep(attempt, at: registration)
        throw error
      }
      guard attempt?.end(error) == true else { throw error }
      _ = pass(error)
      Layers.note(.passed(self, error), in: injector)
      return nil
    }
  }

  /// Notes that the registration of a candidate has ended, so that the choice has to begin again.
  private mutating func lose() -> AnyBox? {
    rare.orMade.hasLost = true
    return nil
  }

  private mutating func pass(_ error: (any Error)?) -> AnyBox? {
    rare.orMade.passed.insert(position)
    rare.orMade.failures.append((position, error))
    return nil
  }

  /// - Returns: `nil` if the candidate has been unregistered.
  private func provide(_ cell: Cell) throws -> AnyBox? {
    if let standalone { return try standalone.provide(cell) }
    if cell.registration.depth == 0, let box = cell.published.box { return box }
    var cell = cell
    for _ in 0..<Injector.attemptLimit {  // Another thread may reset or decorate the candidate each time.
      var made: AnyBox?
      do {
        if !cell.isRetired { made = try injector.attempt(cell, true) }
      } catch {
        guard cell.isRetired, case .notRegistered = InjectorError(error) else { throw error }
      }
      if let made, !cell.registration.isKept || !cell.isRetired { return made }
      guard let next = try injector.successor(ofPart: cell) else { return nil }
      // An instance that was reset meanwhile answers the request that has made it, unless it was closed.
      if let made { return made }
      cell = next
    }
    throw injector.failure(.replaced, cell.registration)
  }
}

extension Injector {
  /// Throws if an instance that outlives a scope would depend on which of the scope's candidates apply, even if none
  /// does.
  @inline(never)
  fileprivate func refuseCapture(of choice: Registration) throws {
    if choice.depth == 0 { return }
    try ThreadStack.current.with { stack in
      try refuseCapture(of: choice, in: level(at: choice.depth), stack)
    }
  }
}
