/// The candidates that one choice has passed over because they cannot be made, in order.
struct PassedOver: Sendable {
  /// What went wrong; `nil` if one was not tried.
  private(set) var failures: [(place: Int, error: InjectorError?)] = []

  /// What went wrong first.
  var error: InjectorError? { failures.lazy.compactMap(\.error).first }

  func contains(_ place: Int) -> Bool { failures.contains { $0.place == place } }

  mutating func insert(_ place: Int, _ error: InjectorError?) { failures.append((place, error)) }
}

/// Choosing where candidates may fail, so that others take their place.
extension Selector {
  /// The instance of what has been chosen; of another candidate, if that one cannot be made and says so.
  @usableFromInline
  func instance(
    at place: Int, in context: Context, for injector: Injector, isChecked: Bool = false
  ) throws(InjectorError) -> Service? {
    if toleratesFailures { return try toleratedInstance(at: place, in: context, for: injector, isChecked: isChecked) }
    return try instance(of: unsafe step(place)._withUnsafeGuaranteedRef { $0.cell }, for: injector, isChecked)
  }

  @inline(never)
  private func toleratedInstance(
    at place: Int, in context: Context, for injector: Injector, isChecked: Bool
  ) throws(InjectorError) -> Service? {
    // What switches were in force when the place was chosen is not known any more; so the choice begins again.
    let choice =
      injector.registrations.instrumentation.hasSwitches ? nil : OverseenChoice(place: place, switched: Switched())
    return try first(choice, in: context, for: injector, isChecked: isChecked)?.service
  }

  /// The instance of the first candidate that applies and can be made, with the switches that are in force at the
  /// beginning.
  ///
  /// - Parameter chosen: What has been chosen already, if anything has.
  /// - Throws: If all fail, why the first did.
  func first(
    _ chosen: OverseenChoice? = nil, in context: Context, for injector: Injector, isChecked: Bool
  ) throws(InjectorError) -> (choice: OverseenChoice, service: Service)? {
    let switched = chosen?.switched ?? switched(for: injector)
    var (next, passedOver) = (chosen, PassedOver())
    while true {
      if next == nil { next = try overseenChoice(switched, in: context, for: injector, after: passedOver) }
      guard let choice = next else { break }
      next = nil
      report(choice, in: context, injector)
      if let service = try made(choice.place, for: injector, isChecked, &passedOver) { return (choice, service) }
    }
    if let error = passedOver.error { throw error }
    return nil
  }

  /// Makes the instance of a candidate.
  ///
  /// - Returns: `nil` if the choice passes over it.
  func made(
    _ place: Int, for injector: Injector, _ isChecked: Bool, _ passedOver: inout PassedOver
  ) throws(InjectorError) -> Service? {
    let cell = candidates[place].cell
    guard let health = cell.health else { return try instance(of: cell, for: injector, isChecked) }
    let load = ThreadContext.current.loadLoop
    guard let ticket = load?.ticket(for: health) ?? health.admit() else {
      passedOver.insert(place, nil)
      return nil
    }
    do throws(InjectorError) {
      let service = try instance(of: cell, for: injector, isChecked)
      ticket.succeed()
      return service
    } catch {
      if case .notLoaded = error, let load {
        load.keep(ticket)
        throw error
      }
      ticket.fail(error)
      guard error.isFailureOfCandidate else { throw error }
      passedOver.insert(place, error)
      injector.reportFailure(of: cell.declaration, error)
      return nil
    }
  }

  private func instance(
    of cell: Cell<Service>, for injector: Injector, _ isChecked: Bool
  ) throws(InjectorError) -> Service {
    try isChecked ? checkedInstance(of: cell, for: injector) : cell.instance(for: injector)
  }

  /// The candidates that nobody tries now.
  var quarantined: PassedOver {
    var passedOver = PassedOver()
    if !toleratesFailures { return passedOver }
    for (place, candidate) in candidates.enumerated() where candidate.cell.health?.isRefused == true {
      passedOver.insert(place, nil)
    }
    return passedOver
  }
}
