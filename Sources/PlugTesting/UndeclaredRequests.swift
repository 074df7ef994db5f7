import Plug

/// Records the requests that factories make, of any injector, although their registrations declare other dependencies
/// or none. A validation knows nothing of them.
final class UndeclaredRequests: Hooks {
  /// A request of one service.
  struct Request: Hashable, Sendable {
    let factory: String
    let location: CodeLocation
    let service: String
    let injector: String
  }

  private struct State {
    /// The factories that run on each thread and in each load, the innermost last.
    var running: [UInt: [Registration]] = [:]
    var found: [Request] = []
  }

  private let state = Guarded(State())

  /// The requests, in the order in which they were first made.
  var found: [Request] { state.withLock { $0.found } }

  func copy(for injector: Injector) -> UndeclaredRequests? { self }

  func note(_ event: KernelEvent, in injector: Injector) {
    switch event {
    case .running(let registration, isConfiguring: false):
      guard let work = Injector.running?.work else { return }
      state.withLock { $0.running[work, default: []].append(registration) }
    case .ran(_, isConfiguring: false, _):
      guard let work = Injector.running?.work else { return }
      state.withLock { _ = $0.running[work]?.popLast() }
    case .answered(let request, _):
      guard let current = Injector.running, !current.isConfiguring, !(request.key.type is any TypedKey.Type),
        let factory = state.withLock({ $0.running[current.work]?.last })
      else { return }
      let knowledge = factory.knowledge
      if !knowledge.hiding.isEmpty || knowledge.needs.contains(where: { $0.key == request.key }) { return }
      let found = Request(
        factory: factory.name, location: factory.location, service: request.key.text,
        injector: injector.path ?? "(unnamed)")
      state.withLock { if !$0.found.contains(found) { $0.found.append(found) } }
    default: return
    }
  }
}
