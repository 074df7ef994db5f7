/// What is done to an instance when its injector gives it up.
struct CloseActions<Service: Sendable>: Sendable {
  typealias Action = @Sendable (Service) -> PendingClose.Action

  let actions: [Action]

  func work(on service: Service) -> PendingClose {
    PendingClose(actions: actions.map { $0(service) })
  }
}

/// The same for one instance, whatever its type.
struct PendingClose: Sendable {
  enum Action: Sendable {
    /// Can be done at once, on the main actor if it belongs there; or in a task.
    case now(@Sendable () throws -> Void, FactoryIsolation, later: @Sendable () async throws -> Void)
    case later(@Sendable () async throws -> Void)
  }

  let actions: [Action]

  /// Does it at once.
  ///
  /// - Returns: What went wrong; `nil` if it cannot be done here, and nothing has been.
  func runNow() -> [any Error]? {
    var works: [@Sendable () throws -> Void] = []
    var needsMainActor = false
    for action in actions {
      guard case .now(let work, let isolation, _) = action else { return nil }
      works.append(work)
      if isolation == .mainActor { needsMainActor = true }
    }
    if needsMainActor, !isOnMainActor() { return nil }
    return works.compactMap { work in error { try work() } }
  }

  /// Does it.
  ///
  /// - Returns: What went wrong.
  func run() async -> [any Error] {
    var errors: [any Error] = []
    for action in actions {
      do {
        switch action {
        case .now(_, _, let later), .later(let later): try await later()
        }
      } catch {
        errors.append(error)
      }
    }
    return errors
  }

  private func error(_ work: () throws -> Void) -> (any Error)? {
    do {
      try work()
      return nil
    } catch {
      return error
    }
  }
}
