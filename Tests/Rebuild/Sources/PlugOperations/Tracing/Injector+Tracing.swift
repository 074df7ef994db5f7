public import Plug

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

      /// An instance was closed: its `onClose` closures have run, and the injector releases it.
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
  /// The closure runs synchronously on the thread where the event happens, and no lock is held meanwhile. What it asks
  /// for itself is not reported. A scope uses the tracer of the nearest injector it is inside of, unless it has
  /// its own.
  ///
  /// While an injector or one of its scopes has a tracer, requests in the injector and in all its scopes take a slower
  /// path; those in other injectors do not. While none has, tracing costs nothing. Reading a property with `Injected`
  /// that has kept its value is no request, and sends no event.
  public var tracer: (@Sendable (Event) -> Void)? {
    get { active.attachment(Tracers.self)?.tracer }
    set {
      let injector = active
      let tracers = injector.hook(Tracers.self)
      tracers.set(newValue)
      injector.settle(tracers)
    }
  }

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
    let (injector, tracer) = (active, AddedTracer(receive))
    let tracers = injector.hook(Tracers.self)
    tracers.add(tracer)
    injector.settle(tracers)
    let place = WeakInjector(injector: injector)
    return ObservationToken {
      tracer.end()
      tracers.remove(tracer)
      place.injector?.settle(tracers)
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
      case .failed(let error): "failed \(service): \(error.headline)"
      case .closed: "closed \(service)"
      }
    return chain.count > 1 ? "\(what) (\(chain.joined(separator: " → ")))" : what
  }
}
