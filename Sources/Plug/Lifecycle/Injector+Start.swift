extension Injector {
  /// Makes everything that is registered as asynchronous or ``Injection/eager()``: what needs others after these, the rest
  /// at the same time.
  ///
  /// ```swift
  /// try services.seal()
  /// try await services.start(timeout: .seconds(30))
  /// ```
  ///
  /// In a scope, it makes what the scope keeps. Of several candidates it makes all, except those whose rule is never
  /// satisfied. A ``Provider`` takes part from its first use on.
  ///
  /// If one cannot be made, the others are cancelled. What has been made by then is given up in reverse order of
  /// construction, as ``close(timeout:clock:)`` does, and can be started again.
  ///
  /// - Parameters:
  ///   - timeout: How long each may take, with all that it loads, where ``Injection/timeout(loading:closing:)`` does not
  ///     say; `nil` for any time.
  ///   - clock: What the time is measured by.
  /// - Throws: What went wrong first.
  public func start(
    timeout: Duration? = nil, clock: any Clock<Duration> = ContinuousClock()
  ) async throws(InjectorError) {
    let injector = isolated()
    if injector.registrations.isClosed { throw injector.closed(Injector.self, nil) }
    let startup = Startup(Deadline(limit: timeout, clock: clock))
    let early = injector.earlyParts.map { ($0, injector) }
    let failure = await startup.run { await Self.makeAll(early) }
    guard let failure else { return }
    await startup.giveUp()
    throw failure
  }

  /// The parts that ``start(timeout:clock:)`` makes here.
  private var earlyParts: [AnyEntry] {
    var seen: Set<ServiceKey> = []
    return sequence(first: registrations, next: \.parent).flatMap(\.entries).flatMap { entry -> [AnyEntry] in
      guard seen.insert(entry.key).inserted else { return [] }
      let isOwn = registrations.has(entry.subject.service, entry.tag)
      let verdicts = entry.choice?.verdicts ?? [true]
      return zip(entry.parts, verdicts).filter { part, verdict in
        let isKeptHere = part.lifetime == .scoped ? parent != nil : isOwn
        return part.isEarly && isKeptHere && verdict != false
      }.map(\.0)
    }
  }
}
