import Plug
import Synchronization

/// The closures that trace one injector and its scopes.
final class Tracers: OccasionalHook, ChoiceHooks {
  typealias Receive = @Sendable (Injector.Event) -> Void

  private struct State: Sendable {
    var tracer: Receive?
    var added: [AddedTracer] = []
  }

  private let state = Guarded(State())

  init() {}

  var isIdle: Bool { state.withLock { $0.tracer == nil && $0.added.isEmpty } }
  var tracer: Receive? { state.withLock { $0.tracer } }
  private var added: [AddedTracer] { state.withLock { $0.added } }

  func set(_ tracer: Receive?) {
    let old = state.withLock { state in
      let old = state.tracer
      state.tracer = tracer
      return old
    }
    withExtendedLifetime(old) {}
  }

  func add(_ tracer: AddedTracer) { state.withLock { $0.added.append(tracer) } }

  func remove(_ tracer: AddedTracer) {
    let old = state.withLock { state in
      let old = state.added
      state.added.removeAll { $0 === tracer }
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// The closures that receive the events of an injector: the nearest tracer, then the added ones. Only the innermost
  /// injector that has any returns them, so that no event is received twice.
  private func receivers(in injector: Injector) -> [Receive] {
    let all = injector.levels.compactMap { $0.attachment(Tracers.self) }.filter { !$0.isIdle }
    guard all.first === self else { return [] }
    let nearest = all.lazy.compactMap(\.tracer).first.map { [$0] } ?? []
    return nearest + all.flatMap(\.added).map { tracer in { tracer.receive($0) } }
  }

  func note(_ event: KernelEvent, in injector: Injector) {
    switch event {
    case .answered(let request, let error):
      report(error.map { .failed(InjectorError($0)) } ?? .resolved, request.key.text, in: injector)
    case .ran(let registration, false, let duration?):
      report(.constructed(duration), registration.name, in: injector)
    case .running, .ran: return
    }
  }

  func note(_ event: ChoiceEvent, in injector: Injector) {
    switch event {
    case .chosen(let choice):
      report(.selected(candidate: choice.candidate.id), choice.service.name, in: injector)
    case .passed(let choice, let error):
      report(.failed(InjectorError(error)), choice.candidate.cell.registration.name, in: injector)
    case .given, .decided: return
    }
  }

  private func report(_ kind: Injector.Event.Kind, _ name: @autoclosure () -> String, in injector: Injector) {
    let receivers = receivers(in: injector)
    if receivers.isEmpty { return }
    let event = Injector.Event(kind, name(), in: injector.path)
    Reporting.events.run { for receive in receivers { receive(event) } }
  }

  func closing(in injector: Injector) -> ClosingObserver? {
    let (receivers, path) = (receivers(in: injector), injector.path)
    if receivers.isEmpty { return nil }
    return { registration, failures in
      for kind in failures.map({ Injector.Event.Kind.failed(InjectorError($0)) }) + [.closed] {
        let name = registration.name
        let event = Injector.Event(kind: kind, service: name, injector: path, chain: [name])
        Reporting.events.run { for receive in receivers { receive(event) } }
      }
    }
  }
}

extension Injector.Event {
  fileprivate init(_ kind: Kind, _ name: String, in path: String?) {
    let way = Injector.chain
    self.init(kind: kind, service: name, injector: path, chain: way.last == name ? way : way + [name])
  }
}

/// A tracer that was added to the others.
final class AddedTracer: Sendable {
  private let handle: Tracers.Receive
  private let hasEnded = Atomic(false)

  init(_ receive: @escaping Tracers.Receive) { handle = receive }

  func end() { hasEnded.store(true, ordering: .releasing) }

  func receive(_ event: Injector.Event) {
    if !hasEnded.load(ordering: .acquiring) { handle(event) }
  }
}
