public import Plug

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
  ///   - point: The id of a plugin point that contains the candidate, or the name of the service as explanations show
  ///     it, with its tag. If several services are meant, name one with its module, `"Shop.Client"`, or use
  ///     ``disable(_:at:tag:because:since:)``.
  ///   - reason: Why, for explanations: the number of an incident, and who does it.
  ///   - since: Since when, in seconds since 1970; `nil` for now.
  /// - Throws: `InjectorError.notRegistered` with the nearest candidate's name if there is no such candidate, and
  ///   with all services that are meant if there are several; `InjectorError.closed`.
  public func disable(
    _ candidate: String, at point: String, because reason: String, since: Double? = nil
  ) throws(InjectorError) {
    try active.apply(
      Switches.Switch(candidate, at: point, .disabled, because: reason, since: since ?? secondsSince1970()))
  }

  /// Lets a candidate of a service apply in no context, until it is restored.
  ///
  /// - Parameters:
  ///   - candidate: The id of the candidate.
  ///   - service: The service.
  ///   - tag: The tag the service is registered with.
  ///   - reason: Why, for explanations.
  ///   - since: Since when, in seconds since 1970; `nil` for now.
  /// - Throws: What ``disable(_:at:because:since:)`` throws.
  public func disable(
    _ candidate: String, at service: any Any.Type, tag: Tag? = nil, because reason: String, since: Double? = nil
  ) throws(InjectorError) {
    try disable(candidate, at: Key(service, tag).fullName, because: reason, since: since)
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
  /// - Throws: What ``disable(_:at:because:since:)`` throws.
  public func force(
    _ candidate: String, at point: String, because reason: String, since: Double? = nil
  ) throws(InjectorError) {
    try active.apply(
      Switches.Switch(candidate, at: point, .forced, because: reason, since: since ?? secondsSince1970()))
  }

  /// Lets a candidate of a service come first in every context, until it is restored.
  ///
  /// - Parameters:
  ///   - candidate: The id of the candidate.
  ///   - service: The service.
  ///   - tag: The tag the service is registered with.
  ///   - reason: Why, for explanations.
  ///   - since: Since when, in seconds since 1970; `nil` for now.
  /// - Throws: What ``disable(_:at:because:since:)`` throws.
  public func force(
    _ candidate: String, at service: any Any.Type, tag: Tag? = nil, because reason: String, since: Double? = nil
  ) throws(InjectorError) {
    try force(candidate, at: Key(service, tag).fullName, because: reason, since: since)
  }

  /// Lets the rules decide again about a candidate that has been disabled or forced at a point.
  ///
  /// - Parameters:
  ///   - candidate: The id of the candidate.
  ///   - point: What ``disable(_:at:because:since:)`` or ``force(_:at:because:since:)`` was called with.
  /// - Returns: What was switched; `nil` if nothing was.
  /// - Throws: `InjectorError.closed`.
  @discardableResult
  public func restore(_ candidate: String, at point: String) throws(InjectorError) -> Switches.Switch? {
    let injector = active
    if injector.levels.contains(where: \.isClosedItself) { throw injector.closedError }
    for level in injector.levels {
      guard let board = level.attachment(SwitchBoard.self), board.switches[candidate, at: point] != nil else {
        continue
      }
      var restored: Switches.Switch?
      level.update(board) { switches in
        restored = switches[candidate, at: point]
        switches.remove { $0.candidate == candidate && $0.point == point }
      }
      return restored
    }
    return nil
  }

  /// Lets the rules decide again about a candidate of a service.
  ///
  /// - Parameters:
  ///   - candidate: The id of the candidate.
  ///   - service: The service.
  ///   - tag: The tag the service is registered with.
  /// - Returns: What was switched; `nil` if nothing was.
  /// - Throws: `InjectorError.closed`.
  @discardableResult
  public func restore(
    _ candidate: String, at service: any Any.Type, tag: Tag? = nil
  ) throws(InjectorError) -> Switches.Switch? { try restore(candidate, at: Key(service, tag).fullName) }

  /// What is switched here: the switches of the injectors around this one and its own. Setting them sets its own.
  public subscript(type: Switches.Type) -> Switches {
    get { Switches(Array(active.levels).reversed().flatMap { $0.attachment(SwitchBoard.self)?.switches.list ?? [] }) }
    set {
      let injector = active
      injector.update(injector.hook(SwitchBoard.self)) { $0 = newValue }
    }
  }

  /// Reports what is switched here each time that it changes, also in an injector around this one.
  ///
  /// The closure runs on the thread that changes the switches; no lock is held.
  ///
  /// - Parameters:
  ///   - type: ``Switches``.
  ///   - receive: Receives the switches. When it has been cancelled, it may still be running on another thread.
  /// - Returns: What ends it when it is cancelled or released.
  public func observe(
    _ type: Switches.Type, _ receive: @escaping @Sendable (Switches) -> Void
  ) -> ObservationToken {
    let injector = active
    let place = WeakInjector(injector: injector)
    let observation = injector.observeVerdicts {
      if let injector = place.injector { receive(injector[Switches.self]) }
    }
    return ObservationToken { observation.end() }
  }

  private func update(_ board: SwitchBoard, _ change: (inout Switches) -> Void) {
    board.update(change)
    settle(board)
    verdictsHaveChanged()
  }

  /// Sets a switch. Of the candidates of one service, one is forced.
  private func apply(_ entry: Switches.Switch) throws(InjectorError) {
    if levels.contains(where: \.isClosedItself) { throw closedError }
    var targets: [(level: Injector, service: Registration, order: CandidateOrdering)] = []
    for level in levels {
      for cell in level.cells where !targets.contains(where: { $0.service.key == cell.registration.key }) {
        guard let order = cell.selector?.order, !order.places(of: Switches([entry])).isEmpty else { continue }
        targets.append((level, cell.registration, order))
      }
    }
    guard let (level, service, order) = targets.first else {
      let all = levels.flatMap(\.cells).flatMap(\.paths)
      throw .unknownCandidate(entry.candidate, at: entry.point, in: self, among: all)
    }
    if targets.count > 1 {
      let services = targets.map { InjectorError.Suggestion($0.service.key.fullName, at: $0.service.location) }
      throw .ambiguous(entry.point, of: entry.candidate, in: self, among: services)
    }
    level.update(level.hook(SwitchBoard.self)) { switches in
      if entry.action == .forced {
        let forced = Set(order.places(of: switches).values.joined().filter { $0.action == .forced })
        switches.remove(where: forced.contains)
      }
      switches.set(entry, of: service.key.fullName)
    }
  }
}

extension Cell {
  /// The names of the candidates, with the innermost points that contain them.
  fileprivate var paths: [InjectorError.Suggestion] {
    guard let order = selector?.order else { return [] }
    return order.entries.enumerated().map { place, entry in
      let point = order.points(around: place).last ?? registration.key.text
      return InjectorError.Suggestion("\(entry.id) at \(point)", at: entry.cell.registration.location)
    }
  }
}
