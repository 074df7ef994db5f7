extension Injector {
  /// Explains all services that a context decides.
  ///
  /// - Parameter context: The value the candidates' rules look at.
  /// - Returns: An explanation for each service whose candidates are selected by this type of context, sorted by their
  ///   names. No instance is made.
  public func explainAll<Context: Sendable>(in context: Context) -> [Explanation] {
    let injector = isolated()
    let decided = injector.visibleEntries.filter { $0.choice?.context.service == Context.self }
    return decided.sorted { $0.key.name < $1.key.name }.compactMap { $0.explanation(in: context, for: injector) }
  }

  /// Explains a service that is given by its name, for an endpoint.
  ///
  /// ```swift
  /// try services.explain(named: "Checkout", in: shopper)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the service as explanations and errors show it: that of its type without the module's and
  ///     without `any`.
  ///   - tag: The tag the service is registered with.
  ///   - context: The value the candidates' rules look at.
  /// - Returns: The explanation.
  /// - Throws: ``InjectorError/notRegistered(_:)`` if there is no such service, with the nearest name;
  ///   ``InjectorError/contextMismatch(_:expected:found:)``; ``InjectorError/closed(_:)``.
  public func explain<Context: Sendable>(
    named name: String, tag: Tag? = nil, in context: Context
  ) throws(InjectorError) -> Explanation {
    let injector = isolated()
    if injector.registrations.isClosed { throw injector.closed(InjectorError.Facts(aboutWhole: injector)) }
    let full = serviceName(name, tag: tag?.rawValue, candidate: nil)
    guard let entry = injector.visibleEntries.first(where: { $0.key.name == full }) else {
      var facts = InjectorError.Facts(.named(full, .service), in: InjectorError.Facts.Path(injector))
      facts.nearestName = NearestName(
        .nearest(
          to: full,
          among: injector.visibleEntries.map { InjectorError.Suggestion(name: $0.key.name, registeredAt: $0.location) })
      )
      throw .notRegistered(facts)
    }
    if let explanation = entry.explanation(in: context, for: injector) { return explanation }
    throw .contextMismatch(
      InjectorError.Facts(about: entry.declaration, in: injector), expected: entry.choice?.context.name ?? "",
      found: typeName(Context.self))
  }

  /// Tells the state of the injector: its services, what is switched, what fails, and what is going on.
  ///
  /// It contains no values of contexts, but for the identifiers of the selections, if ``rememberSelections(last:by:)``
  /// was given a key path.
  ///
  /// - Returns: A `Codable` value, for an endpoint or a log. Parts of it may be older than others, while other threads
  ///   go on.
  /// - Complexity: O(*n*) for *n* registrations and dependencies.
  public func report() -> InjectorReport {
    let injector = isolated()
    let loads = injector.instanceStore.withLock { $0.known?.loads.keys ?? [] }
    let failing = injector.visibleEntries.flatMap { entry in
      entry.parts.compactMap { part in
        part.failure.map {
          InjectorReport.Failing(
            service: entry.key.name, candidate: part.declaration.candidate ?? "", failure: $0.failure,
            isQuarantined: $0.isRefused)
        }
      }
    }
    let followers = injector.levels.flatMap { $0.listeners.value?.followers ?? [] }
    return InjectorReport(
      injector: injector.path, state: injector.state,
      switches: (try? injector.get(Switches.self, fileID: "", line: 0))?.list ?? [],
      failing: failing.sorted { ($0.service, $0.candidate) < ($1.service, $1.candidate) },
      loading: loads.map(\.declaration.name).sorted(),
      selections: followers.compactMap(\.remembered).first ?? [], graph: injector.graph())
  }

  private var state: InjectorReport.State {
    if registrations.isClosed {
      return instanceStore.withLock { $0.isClosing } ? .closing : .closed
    }
    return registrations.isSealed ? .sealed : .open
  }

  /// Remembers the last selections of this injector and its scopes, for ``report()``.
  ///
  /// - Parameter count: How many are remembered; at least 1.
  /// - Returns: What ends it when it is cancelled or released.
  public func rememberSelections(last count: Int = 50) -> ObservationToken {
    let last = LastExposures(count)
    return follow(Follower(of: nil, keeping: last) { last.add($0) })
  }

  /// Remembers for whom the last selections in contexts of one type were made, for ``report()``.
  ///
  /// - Parameters:
  ///   - count: How many are remembered; at least 1.
  ///   - identifier: What identifies a context; it appears in the report.
  /// - Returns: What ends it when it is cancelled or released.
  public func rememberSelections<Context: Sendable>(
    last count: Int = 50, by identifier: any KeyPath<Context, String> & Sendable
  ) -> ObservationToken {
    let last = LastExposures(count)
    return follow(IdentifyingFollower(of: nil, .each(by: identifier), keeping: last) { last.add($0) })
  }
}
