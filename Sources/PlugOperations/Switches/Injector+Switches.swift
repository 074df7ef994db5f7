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
  ///   - point: The point that was passed to ``disable(_:at:because:since:)`` or ``force(_:at:because:since:)``.
  /// - Returns: The removed switch; `nil` if there was none.
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
  /// - Returns: The removed switch; `nil` if there was none.
  /// - Throws: `InjectorError.closed`.
  @discardableResult
  public func restore(
    _ candidate: String, at service: any Any.Type, tag: Tag? = nil
  ) throws(InjectorError) -> Switches.Switch? { try restore(candidate, at: Key(service, tag).fullName) }

  /// The switches of this injector and its parents. Setting them replaces the switches of this injector only.
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
    for level in levels {
      let targets = level.cells.filter { $0.selector?.order.places(of: Switches([entry])).isEmpty == false }
      guard let target = targets.first?.selector?.order else { continue }
      if targets.count > 1 {
        let services = targets.map {
          InjectorError.Suggestion($0.registration.key.fullName, at: $0.registration.location)
        }
        throw .ambiguous(entry.point, of: entry.candidate, in: self, among: services)
      }
      return level.update(level.hook(SwitchBoard.self)) { switches in
        if entry.action == .forced {
          let others = Switches(switches.list.filter { $0.action == .forced })
          let forced = Set(target.places(of: others).values.joined())
          switches.remove(where: forced.contains)
        }
        switches.set(entry)
      }
    }
    throw .unknownCandidate(entry.candidate, at: entry.point, in: self, among: levels.flatMap(\.cells).flatMap(\.paths))
  }
}

extension Cell {
  /// The names of the candidates, with the innermost points that contain them.
  fileprivate var paths: [InjectorError.Suggestion] {
    guard let order = selector?.order else { return [] }
    return order.entries.enumerated().map { place, entry in
      let point = order.points(around: place).last ?? registration.key.shownName
      return InjectorError.Suggestion("\(entry.id) at \(point)", at: entry.cell.registration.location)
    }
  }
}
