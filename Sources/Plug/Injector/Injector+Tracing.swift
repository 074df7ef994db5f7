import Synchronization

extension Injector {
  /// Something that happened while a service was requested, made or closed.
  ///
  /// A ``tracer`` receives events. Print them while debugging, or turn them into the spans and counters of your
  /// telemetry:
  ///
  /// ```swift
  /// services.tracer = { event in
  ///   if case .constructed(let time) = event.kind {
  ///     metrics.record(time, for: event.service)
  ///   }
  /// }
  /// ```
  public struct Event: Sendable {
    /// What an event is about.
    public enum Kind: Sendable {
      /// A request was answered, with a new instance or an existing one.
      case resolved

      /// A candidate was selected by its rules; the associated value is its id.
      case selected(candidate: String)

      /// An instance was made; the duration includes everything its factory requested.
      case constructed(Duration)

      /// A request, or the closing of an instance, failed.
      case failed(InjectorError)

      /// An instance was closed: its ``Injection/onClose(_:)-2kwn8`` closures have run, and the injector releases it.
      ///
      /// That happens when its injector is closed or reset, or its registration is removed or replaced. An injector
      /// that is not a scope sends this event only for instances with such closures.
      case closed
    }

    /// What happened.
    public let kind: Kind

    /// The name of the service, with its tag; for one of several candidates, with the candidate's id.
    public let service: String

    /// The name of the injector that received the request, as `services/request` for a scope; `nil` if it has no name.
    public let injector: String?

    /// The requests that led to the event, from the outermost to this one.
    public let chain: [String]
  }

  /// Receives what happens in this injector and in its scopes; `nil` to receive nothing.
  ///
  /// ```swift
  /// services.tracer = { event in print(event) }
  /// ```
  ///
  /// The closure runs synchronously on the thread where the event happens, and no lock is held meanwhile. It must not
  /// request anything from the injector. A scope uses the tracer of the nearest injector it is inside of, unless it has
  /// its own.
  ///
  /// While an injector or one of its scopes has a tracer, requests in the injector and in all its scopes take a slower
  /// path; those in other injectors do not. While none has, tracing costs nothing. Reading a property with ``Injected``
  /// that has kept its value is no request, and sends no event.
  public var tracer: (@Sendable (Event) -> Void)? {
    get { isolated().listeners.value?.tracer?.receive }
    set {
      let (injector, tracer) = (isolated(), newValue.map(Tracer.init))
      if tracer != nil { injector.registrations.beginTracing() }
      let old = injector.updateListeners { listeners in
        defer { listeners.tracer = tracer }
        return listeners.tracer
      }
      if old != nil { injector.registrations.endTracing() }
    }
  }
}

extension Injector {
  /// Reports what happens in this injector and in its scopes, beside the ``tracer`` and whatever else was added.
  ///
  /// ```swift
  /// let token = services.trace { event in metrics.count(event.service) }
  /// ```
  ///
  /// See ``tracer`` for what the closure may do, and what that costs.
  ///
  /// - Parameter receive: Receives the events. When it has been cancelled, it may still be running on another thread.
  /// - Returns: What ends it when it is cancelled or released.
  public func trace(_ receive: @escaping @Sendable (Event) -> Void) -> ObservationToken {
    let (injector, tracer) = (isolated(), AddedTracer(receive))
    injector.registrations.beginTracing()
    injector.updateListeners { $0.tracers.append(tracer) }
    return ObservationToken { [weak injector] in
      tracer.end()
      guard let injector else { return }
      let isRemoved = injector.updateListeners { listeners in
        let index = listeners.tracers.firstIndex { $0 === tracer }
        return index.map { listeners.tracers.remove(at: $0) } != nil
      }
      if isRemoved { injector.registrations.endTracing() }
    }
  }
}

extension Injector.Event: CustomStringConvertible {
  /// The event as one line of text, such as `constructed Checkout in 0.0012 seconds (Shop → Checkout)`.
  public var description: String {
    let what =
      switch kind {
      case .resolved: "resolved \(service)"
      case .selected(let candidate): "selected \(candidate) for \(service)"
      case .constructed(let duration): "constructed \(service) in \(duration)"
      case .failed(let error): "failed \(service): \(ErrorText(error).headline)"
      case .closed: "closed \(service)"
      }
    return chain.count > 1 ? "\(what) (\(chain.joined(separator: " → ")))" : what
  }
}

/// Receives events.
@usableFromInline
struct Tracer: Sendable {
  let receive: @Sendable (Injector.Event) -> Void
}

/// A tracer that was added to others.
final class AddedTracer: Sendable {
  private let handle: @Sendable (Injector.Event) -> Void
  private let hasEnded = Atomic(false)

  init(_ receive: @escaping @Sendable (Injector.Event) -> Void) {
    handle = receive
  }

  func end() { hasEnded.store(true, ordering: .releasing) }

  func receive(_ event: Injector.Event) {
    if !hasEnded.load(ordering: .acquiring) { handle(event) }
  }
}

extension Injector {
  /// The tracer of this injector, or of the nearest injector it is a scope of, together with those that were added to
  /// any of these.
  @usableFromInline
  var nearestTracer: Tracer? {
    var (nearest, added) = (Tracer?.none, [AddedTracer]())
    for level in levels {
      level.listeners.read { listeners in
        nearest = nearest ?? listeners.tracer
        added += listeners.tracers
      }
    }
    if added.isEmpty { return nearest }
    return Tracer { [nearest, added] event in
      nearest?.receive(event)
      for tracer in added { tracer.receive(event) }
    }
  }

  /// Answers a request, reports its outcome to the tracer if there is one, and adds the source location to an error.
  ///
  /// - Parameter answer: Receives the injector that answers the request: in an isolated test the private copy.
  @inlinable
  func withActiveInjector<Answer>(
    _ key: ServiceKey, _ fileID: StaticString, _ line: UInt,
    _ answer: (Injector) throws(InjectorError) -> Answer
  ) throws(InjectorError) -> Answer {
    do throws(InjectorError) {
      guard registrations.isWatched else { return try answer(self) }
      return try isolated(fileID, line).reporting(key, answer)
    } catch {
      throw error.asked(at: fileID, line)
    }
  }

  /// Answers a request, notes it for an isolated test, and reports its outcome to the tracer if there is one.
  @usableFromInline
  func reporting<Answer>(
    _ key: ServiceKey, _ answer: (Injector) throws(InjectorError) -> Answer
  ) throws(InjectorError) -> Answer {
    guard let tracer = nearestTracer else {
      let result = try answer(self)
      noteAnswer(to: key)
      return result
    }
    let name = key.name
    do throws(InjectorError) {
      let result = try answer(self)
      noteAnswer(to: key)
      tracer.receive(event(.resolved, name))
      return result
    } catch {
      tracer.receive(event(.failed(error), name))
      throw error
    }
  }

  /// Reports to the tracer, if there is one, that a candidate was selected.
  @usableFromInline
  func reportSelection(of candidate: String, for declaration: Declaration) {
    nearestTracer?.receive(event(.selected(candidate: candidate), declaration.name))
  }

  /// Reports to the tracer, if there is one, that a candidate could not be made, and the choice passes over it.
  func reportFailure(of declaration: Declaration, _ error: InjectorError) {
    guard registrations.isWatched else { return }
    nearestTracer?.receive(event(.failed(error), declaration.name))
  }

  /// Starts measuring a construction; `nil` if nothing traces it.
  func constructionTrace(_ declaration: @autoclosure () -> Declaration) -> ConstructionTrace? {
    guard registrations.isWatched, let tracer = nearestTracer else { return nil }
    return ConstructionTrace(tracer: tracer, injector: self, declaration: declaration())
  }

  /// Creates an event with the calling thread's chain of requests.
  func event(_ kind: Event.Kind, _ name: String) -> Event {
    Event(kind: kind, service: name, injector: path, chain: ThreadContext.chain(to: name))
  }
}

extension Injector {
  /// Nobody traces a scope any more that goes.
  func endTracing() {
    guard let listeners = listeners.value else { return }
    let count = (listeners.tracer == nil ? 0 : 1) + listeners.tracers.count
    if count > 0 { registrations.endTracing(count: count) }
  }
}

/// A construction whose duration is being measured.
struct ConstructionTrace {
  fileprivate let tracer: Tracer
  fileprivate let injector: Injector
  fileprivate let declaration: Declaration
  private let start = ContinuousClock.now

  /// Stops measuring, and reports the duration.
  func end() {
    tracer.receive(injector.event(.constructed(ContinuousClock.now - start), declaration.name))
  }
}
