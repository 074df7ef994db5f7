extension Injector {
  /// Lets a candidate apply in no context, until it is restored: a kill switch.
  ///
  /// ```swift
  /// try services.disable("semantic", at: "search", because: "INC-7")
  /// ```
  ///
  /// It takes effect with the next choice, on any thread, also in a sealed injector and in its scopes. A scope sets it
  /// in the nearest injector that has the candidate: itself, or one it is inside of. What has been chosen before is not
  /// taken back, and instances stay; a choice under way, whose candidates fail, ends with the switches that it began
  /// with. The rule of the candidate is not evaluated meanwhile. See ``Switches``.
  ///
  /// - Parameters:
  ///   - candidate: The id of the candidate; `"default"` for the registration without a rule.
  ///   - point: The id of a plugin point that contains the candidate, or the name of the service.
  ///   - reason: Why, for explanations: the number of an incident, and who does it.
  ///   - since: Since when, in seconds since 1970; `nil` for now.
  /// - Throws: ``InjectorError/notRegistered(_:)`` with the nearest candidate's name if there is no such candidate;
  ///   ``InjectorError/closed(_:)``.
  public func disable(
    _ candidate: String, at point: String, because reason: String, since: Double? = nil
  ) throws(InjectorError) {
    try isolated().apply(
      Switches.Switch(candidate, at: point, .disabled, because: reason, since: since ?? secondsSince1970()))
  }

  /// Lets a candidate come first in every context, whatever its rule and the rules around it say, until it is restored.
  ///
  /// Another candidate of the same service that was forced is not any more. See ``disable(_:at:because:since:)``.
  ///
  /// - Parameters:
  ///   - candidate: The id of the candidate; `"default"` for the registration without a rule.
  ///   - point: The id of a plugin point that contains the candidate, or the name of the service.
  ///   - reason: Why, for explanations.
  ///   - since: Since when, in seconds since 1970; `nil` for now.
  /// - Throws: ``InjectorError/notRegistered(_:)`` with the nearest candidate's name if there is no such candidate;
  ///   ``InjectorError/closed(_:)``.
  public func force(
    _ candidate: String, at point: String, because reason: String, since: Double? = nil
  ) throws(InjectorError) {
    try isolated().apply(
      Switches.Switch(candidate, at: point, .forced, because: reason, since: since ?? secondsSince1970()))
  }

  /// Lets the rules decide again about a candidate that has been disabled or forced at a point.
  ///
  /// - Parameters:
  ///   - candidate: The id of the candidate.
  ///   - point: What ``disable(_:at:because:since:)`` or ``force(_:at:because:since:)`` was called with.
  /// - Returns: What was switched; `nil` if nothing was.
  /// - Throws: ``InjectorError/closed(_:)``.
  @discardableResult
  public func restore(_ candidate: String, at point: String) throws(InjectorError) -> Switches.Switch? {
    for level in isolated().levels {
      let state = try level.state(of: Switches.self)
      guard state.givenValue()?[candidate, at: point] != nil else { continue }
      var restored: Switches.Switch?
      try state.update(for: level) { switches in
        restored = switches[candidate, at: point]
        switches.remove { $0.candidate == candidate && $0.point == point }
      }
      return restored
    }
    return nil
  }

  /// Sets a switch. Of the candidates of one service, one is forced.
  func apply(_ entry: Switches.Switch) throws(InjectorError) {
    for level in levels {
      let targets = level.registrations.entries.filter { $0.isSwitched(by: entry) }
      if targets.isEmpty { continue }
      return try level.state(of: Switches.self).update(for: level) { switches in
        if entry.action == .forced {
          switches.remove { other in other.action == .forced && targets.contains { $0.isSwitched(by: other) } }
        }
        switches.set(entry)
      }
    }
    throw missingCandidate(entry)
  }

  private func missingCandidate(_ entry: Switches.Switch) -> InjectorError {
    var facts = InjectorError.Facts(candidate: entry.candidate, at: entry.point, in: self)
    let candidates = levels.flatMap(\.registrations.entries).flatMap { other in
      other.candidatePaths.map { InjectorError.Suggestion(name: $0, registeredAt: other.location) }
    }
    facts.nearestName = NearestName(.nearest(to: "\(entry.candidate) at \(entry.point)", among: candidates))
    return .notRegistered(facts)
  }
}
