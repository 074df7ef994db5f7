public import Plug
import PlugKeys

extension Injector {
  /// Disables a candidate in every context until it is restored, like a kill switch.
  ///
  /// ```swift
  /// try services.disable("semantic", at: "search", because: "INC-7")
  /// ```
  ///
  /// The switch takes effect with the next choice on any thread, also in scopes and in a sealed injector. A scope sets
  /// the switch in the nearest injector that has the candidate: itself or a parent. Earlier choices and existing
  /// instances do not change, and a choice in progress ends with the switches with which it began. The rule of a
  /// disabled candidate is not evaluated. See ``Switches``.
  ///
  /// - Parameters:
  ///   - candidate: The id of the candidate; `"default"` for the registration without a rule.
  ///   - point: The id of a plugin point that contains the candidate, or the name of the service with its tag, as in
  ///     explanations. If several services have the name, add the module, as in `"Shop.Client"`, or use
  ///     ``disable(_:at:tag:because:since:)``.
  ///   - reason: The reason, for explanations, such as the number of an incident and the name of the operator.
  ///   - since: The time of the switch, in seconds since 1970; `nil` for now.
  /// - Throws: `InjectorError.notRegistered` with the nearest candidate's name if there is no such candidate, or with
  ///   all services that have the name if there are several; `InjectorError.closed`.
  public func disable(
    _ candidate: String, at point: String, because reason: String, since: Double? = nil
  ) throws(InjectorError) {
    try active.apply(
      Switches.Switch(candidate, at: point, .disabled, because: reason, since: since ?? secondsSince1970()))
  }

  /// Disables a candidate of a service in every context until it is restored.
  ///
  /// - Parameters:
  ///   - candidate: The id of the candidate.
  ///   - service: The service.
  ///   - tag: The tag the service is registered with.
  ///   - reason: The reason, for explanations.
  ///   - since: The time of the switch, in seconds since 1970; `nil` for now.
  /// - Throws: The errors of ``disable(_:at:because:since:)``.
  public func disable(
    _ candidate: String, at service: any Any.Type, tag: Tag? = nil, because reason: String, since: Double? = nil
  ) throws(InjectorError) {
    try disable(candidate, at: Key(service, tag).fullName, because: reason, since: since)
  }

  /// Forces a candidate to win in every context, regardless of its rule and the rules of its points, until it is
  /// restored.
  ///
  /// A candidate of the same service that was forced before is no longer forced. See ``disable(_:at:because:since:)``.
  ///
  /// - Parameters:
  ///   - candidate: The id of the candidate; `"default"` for the registration without a rule.
  ///   - point: The id of a plugin point that contains the candidate, or the name of the service.
  ///   - reason: The reason, for explanations.
  ///   - since: The time of the switch, in seconds since 1970; `nil` for now.
  /// - Throws: The errors of ``disable(_:at:because:since:)``.
  public func force(
    _ candidate: String, at point: String, because reason: String, since: Double? = nil
  ) throws(InjectorError) {
    try active.apply(
      Switches.Switch(candidate, at: point, .forced, because: reason, since: since ?? secondsSince1970()))
  }

  /// Forces a candidate of a service to win in every context until it is restored.
  ///
  /// - Parameters:
  ///   - candidate: The id of the candidate.
  ///   - service: The service.
  ///   - tag: The tag the service is registered with.
  ///   - reason: The reason, for explanations.
  ///   - since: The time of the switch, in seconds since 1970; `nil` for now.
  /// - Throws: The errors of ``disable(_:at:because:since:)``.
  public func force(
    _ candidate: String, at service: any Any.Type, tag: Tag? = nil, because reason: String, since: Double? = nil
  ) throws(InjectorError) {
    try force(candidate, at: Key(service, tag).fullName, because: reason, since: since)
  }

  /// Removes the switch of a candidate at a point, so that the rules decide again.
  ///
  /// - Parameters:
  ///   - candidate: The id of the candidate.
  ///   - point: The point that was passed to ``disable(_:at:because:since:)`` or ``force(_:at:because:since:)``.
  /// - Returns: The removed switch; `nil` if there was none.
  /// - Throws: `InjectorError.closed`.
  @discardableResult
  public func restore(_ candidate: String, at point: String) throws(InjectorError) -> Switches.Switch? {
    let injector = active
    if injector.levels.contains(where: \.isClosedItself) { throw injector.closedError() }
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

  /// Removes the switch of a candidate of a service, so that the rules decide again.
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

  /// Calls a closure with the switches each time they change, here or in a parent.
  ///
  /// The closure runs on the thread that changes the switches. No lock is held.
  ///
  /// - Parameters:
  ///   - type: ``Switches``.
  ///   - receive: Receives the switches. It may still be running on another thread after the token has been cancelled.
  /// - Returns: A token that ends the observation when it is cancelled or released.
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

  /// Sets a switch. At most one candidate of a service is forced.
  private func apply(_ entry: Switches.Switch) throws(InjectorError) {
    if levels.contains(where: \.isClosedItself) { throw closedError() }
    var targets: [(level: Injector, service: Registration, order: CandidateOrdering)] = []
    for level in levels {
      for cell in level.cells where !targets.contains(where: { $0.service.key == cell.registration.key }) {
        guard let order = cell.order, order.isNamed(by: entry) else { continue }
        targets.append((level, cell.registration, order))
      }
    }
    guard let (level, service, order) = targets.first else {
      let all = levels.flatMap(\.cells).flatMap(\.paths)
      throw .unknown(entry.candidate, at: entry.point, in: self, among: all)
    }
    if targets.count > 1 {
      throw .ambiguous(entry.point, of: entry.candidate, in: self, among: targets.map(\.service))
    }
    level.update(level.hook(SwitchBoard.self)) { switches in
      if entry.action == .forced {
        let forced = Set(order.positions(of: switches).values.joined().filter { $0.action == .forced })
        switches.remove(where: forced.contains)
      }
      switches.set(entry, of: service.key.fullName)
    }
  }
}

extension Cell {
  /// The names of the candidates, with the innermost points that contain them.
  fileprivate var paths: [(name: String, location: CodeLocation)] {
    guard let order else { return [] }
    return order.entries.enumerated().map { position, entry in
      let point = order.point(around: position) ?? registration.key.text
      return ("\(entry.id) at \(point)", entry.cell.registration.location)
    }
  }
}
