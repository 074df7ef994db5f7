public import Plug

extension Injector {
  /// Reports the state of the injector: its services, switches, failures, and current activity.
  ///
  /// The report contains no values of contexts, except for the identifiers of selections if
  /// ``rememberSelections(last:by:)`` was called with a key path.
  ///
  /// - Returns: A `Codable` value, for an endpoint or a log. If other threads are active, some parts of it may be older
  ///   than others.
  /// - Complexity: O(*n*) for *n* registrations and dependencies.
  public func report() -> InjectorReport {
    let injector = active
    let cells = injector.visibleCells
    let names = DistinctNames(cells.map(\.registration.key))
    let points = cells.filter { $0.order != nil }.compactMap { injector.foundCell(of: $0.registration.key) }
    let failing = points.flatMap { cell in
      cell.parts.compactMap { candidate -> InjectorReport.Failing? in
        guard let health = candidate.registration.health, let failure = health.failure else { return nil }
        return InjectorReport.Failing(
          service: names.name(of: cell.registration.key), candidate: candidate.registration.candidate ?? "",
          failure: failure,
          isQuarantined: health.isRefused)
      }
    }
    return InjectorReport(
      injector: injector.path, state: injector.reportedState, switches: injector[Switches.self].list,
      failing: failing.sorted { ($0.service, $0.candidate) < ($1.service, $1.candidate) },
      loading: injector.levels.flatMap(\.loads).map(\.name).sorted(),
      selections: injector.levels.lazy.compactMap { $0.attachment(Followers.self)?.remembered }.first ?? [],
      sections: injector.levels.flatMap(\.attachments).map(\.reportSection).filter { !$0.lines.isEmpty }.map {
        InjectorReport.Section(title: $0.title, lines: $0.lines)
      },
      graph: injector.graph())
  }

  private var reportedState: InjectorReport.State {
    if isClosedItself { return isStillClosing ? .closing : .closed }
    return isSealed ? .sealed : .open
  }

  /// Explains the choices of all services whose candidates a context selects.
  ///
  /// - Parameter context: The value that the candidates' rules look at.
  /// - Returns: An explanation for each service whose candidates are selected by this type of context, sorted by their
  ///   names. No instance is made.
  public func explainAll<Context: Sendable>(in context: Context) -> [Explanation] {
    let injector = active
    let cells = injector.visibleCells.filter { $0.order?.contextType == Context.self }
    let names = DistinctNames(cells.map(\.registration.key))
    return cells.map { (names.name(of: $0.registration.key), $0) }.sorted { $0.0 < $1.0 }.compactMap { _, cell in
      try? injector.explanation(of: cell, in: ContextReference(copying: context))
    }
  }

  /// Explains the choice of a service with a given name, for an endpoint.
  ///
  /// ```swift
  /// try services.explain(named: "Checkout", in: shopper)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the service, as in explanations and errors: its type without `any`, with or without the
  ///     module. The module is needed if several services have the name.
  ///   - tag: The tag the service is registered with.
  ///   - context: The value that the candidates' rules look at.
  /// - Returns: The explanation.
  /// - Throws: `InjectorError.notRegistered` if there is no such service, with the nearest name, or if there are
  ///   several, with all of them; `InjectorError.contextMismatch`; `InjectorError.closed`.
  public func explain<Context: Sendable>(
    named name: String, tag: Tag? = nil, in context: Context
  ) throws(InjectorError) -> Explanation {
    let injector = active
    if injector.isClosedItself { throw injector.closedError() }
    let full = serviceName(name, tag: tag?.rawValue)
    let cells = injector.visibleCells
    let meant = cells.filter { $0.registration.key.isCalled(full) }
    guard let cell = meant.first else {
      let others = cells.map { ($0.registration.key.text, $0.registration.location) }
      throw .unknown(full, in: injector, among: others)
    }
    if meant.count > 1 { throw .ambiguous(full, in: injector, among: meant.map(\.registration)) }
    return try injector.explanation(of: cell, in: ContextReference(copying: context))
  }
}
