extension Injector {
  /// Gets a service, and first loads all of its dependencies that are made asynchronously.
  ///
  /// ```swift
  /// try services.register(
  ///   (any Database).self,
  ///   .lazySingleton { try await connect() })
  /// let database: any Database = try await services.load()
  /// ```
  ///
  /// A service is made once, however many tasks load it at the same time. It is made in a task of its own, which is
  /// cancelled only when every task that waits for it is cancelled. If a synchronous factory requests a service that
  /// must be loaded, the factory runs again after the load. A service isolated to the main actor or another global
  /// actor is made there, wherever the caller runs.
  ///
  /// If the instance exists, this method returns it like ``get(_:tag:fileID:line:)``.
  ///
  /// - Parameters:
  ///   - type: The service. It can be omitted where it is inferred from the result.
  ///   - tag: The tag the service is registered with.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The instance.
  /// - Throws: What ``get(_:tag:fileID:line:)`` throws; ``InjectorError/cancelled(_:)`` if the calling task is
  ///   cancelled while it waits; ``InjectorError/timedOut(_:after:)``; ``InjectorError/circularDependency(_:path:)``
  ///   also if tasks would wait for each other, unless one of them is detached.
  @inlinable
  public func load<Service: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) async throws(InjectorError) -> Service {
    try await loadedBox(for: Key(type, tag), fileID, line).open()
  }

  /// Gets the winning implementation of a service for a context, and first loads all of its dependencies that are made
  /// asynchronously.
  ///
  /// It loads like ``load(_:tag:fileID:line:)``, and selects like ``get(_:tag:in:fileID:line:)``.
  ///
  /// - Parameters:
  ///   - type: The service. It can be omitted where it is inferred from the result.
  ///   - tag: The tag the service is registered with.
  ///   - context: The value that the candidates' rules look at.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The instance of the first candidate that applies.
  /// - Throws: The errors of these two methods.
  public func load<Service: Sendable, Context: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, in context: Context, fileID: StaticString = #fileID,
    line: UInt = #line
  ) async throws(InjectorError) -> Service {
    let key = Key(type, tag)
    return try await loading(fileID, line) { injector in
      try ContextReference.with(context) { context in
        try injector.chosenBox(for: key, in: context, "", 0)
      }
    }.open()
  }
}

extension Injector {
  /// Makes all instances of asynchronous and ``Injection/eager()`` injections.
  ///
  /// Call it at launch, so that everything is ready before the first request:
  ///
  /// ```swift
  /// try services.seal()
  /// try await services.start(timeout: .seconds(30))
  /// ```
  ///
  /// A service is made after its dependencies. Independent asynchronous services are made concurrently, and eager ones
  /// one after the other, in the order of registration. A scope makes the
  /// instances that it keeps. All candidates of a service are made, except candidates whose rules can never be
  /// satisfied. A ``Provider`` takes part from its first use on.
  ///
  /// If an instance cannot be made, the other loads are cancelled. Instances that exist by then remain, so that another
  /// start continues from there; ``reset()`` or ``close(timeout:clock:)`` releases them. A closure that ignores
  /// cancellation delays the failure until it returns or exceeds its time limit.
  ///
  /// - Parameters:
  ///   - timeout: The time limit for each instance, including everything that it loads, unless
  ///     ``Injection/timeout(loading:closing:)`` specifies one; `nil` for no limit.
  ///   - clock: The clock that measures the time.
  /// - Throws: The first error of ``load(_:tag:fileID:line:)`` for an instance; ``InjectorError/cancelled(_:)`` if the
  ///   calling task is cancelled; ``InjectorError/closed(_:)``.
  public func start(
    timeout: Duration? = nil, clock: any Clock<Duration> = ContinuousClock()
  ) async throws(InjectorError) {
    let injector = active
    if injector.isClosedItself { throw injector.closedError() }
    let deadline = Deadline(limit: timeout, clock: clock)
    let failure = await Self.concurrently(injector.startingCells) { cells in
      for cell in cells { try await injector.make(cell, deadline) }
    }
    if Task.isCancelled { throw .cancelled(InjectorError.Facts(aboutWhole: injector)) }
    if let failure { throw InjectorError(failure) }
  }

  /// Makes an instance, unless its candidate is not to be attempted or may fail.
  private func make(_ cell: Cell, _ deadline: Deadline) async throws {
    let guarding = cell.registration.candidateGuard
    let attempt = guarding?.attempt(at: cell.registration)
    if guarding != nil, attempt == nil { return }
    do {
      if cell.registration.recipe.extras?.values.eager != nil { try await prepare(for: cell.registration.recipe) }
      _ = try await loading(deadline) { injector in try injector.provide(cell) }
      _ = attempt?.end(nil)
    } catch {
      if attempt?.end(error) == true { return }
      // Something that was unregistered meanwhile need not be made.
      if !isClosedItself, cell.isRetired, case .notRegistered = InjectorError(error) { return }
      throw error
    }
  }

  /// The cells of this injector whose instances are made asynchronously, and in one group those whose instances are
  /// made eagerly, one after the other.
  private var startingCells: [[Cell]] {
    func order(_ cell: Cell) -> UInt? { cell.registration.recipe.extras?.values.eager }
    func isStarted(_ cell: Cell) -> Bool {
      let registration = cell.registration
      let isStarted = registration.recipe.isLoaded || order(cell) != nil
      return isStarted && registration.isKept && owner(of: registration) === self
    }
    var seen: Set<Key> = []
    var cells: [Cell] = []
    for level in levels {
      for cell in level.cells where seen.insert(cell.registration.key).inserted && cell.parts.contains(where: isStarted)
      {
        // A test's copy makes the instances in cells of its own.
        cells += level.registeredCell(of: cell.registration.key)?.parts.filter(isStarted) ?? []
      }
    }
    let eager = cells.filter { !$0.registration.recipe.isLoaded }
    return cells.filter(\.registration.recipe.isLoaded).map { [$0] }
      + [sorted(Array(eager.indices)) { order(eager[$0]) ?? 0 < order(eager[$1]) ?? 0 }.map { eager[$0] }]
  }
}
