public import Plug

extension Injector {
  /// An event in the request, construction or closing of a service.
  ///
  /// A ``tracer`` receives events. Print them while debugging, or convert them to the spans and counters of your
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
    /// The kinds of events.
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
      /// Instances are closed when their injector is closed or reset, or their registration is removed or replaced. An
      /// injector that is not a scope sends this event only for instances with such closures.
      case closed
    }

    /// The kind of the event.
    public let kind: Kind

    /// The name of the service, with its tag and, for one of several candidates, the candidate's id.
    public let service: String

    /// The name of the injector that received the request, such as `services/request` for a scope; `nil` if it has no
    /// name.
    public let injector: String?

    /// The requests that led to the event, from the outermost to this one.
    public let chain: [String]
  }

  /// A closure that receives the events of this injector and its scopes; `nil` for none.
  ///
  /// ```swift
  /// services.tracer = { event in print(event) }
  /// ```
  ///
  /// The closure runs synchronously on the thread where the event happens, and no lock is held. Its own requests are
  /// not reported. A scope uses the tracer of its nearest parent that has one, unless it has its own.
  ///
  /// While an injector or one of its scopes has a tracer, requests in the injector and in all of its scopes take a
  /// slower path. Other injectors are not affected, and without a tracer, tracing costs nothing. An `Injected` property
  /// that has kept its value makes no request when it is read, and sends no event.
  public var tracer: (@Sendable (Event) -> Void)? {
    get { active.attachment(Tracers.self)?.tracer }
    set {
      let injector = active
      let tracers = injector.hook(Tracers.self)
      tracers.set(newValue)
      injector.settle(tracers)
    }
  }

  /// Calls a closure with the events of this injector and its scopes, in addition to the ``tracer`` and other added
  /// closures.
  ///
  /// ```swift
  /// let token = services.trace { event in metrics.count(event.service) }
  /// ```
  ///
  /// For the rules and the cost of the closure, see ``tracer``.
  ///
  /// - Parameter receive: Receives the events. It may still be running on another thread after the token has been
  ///   cancelled.
  /// - Returns: A token that removes the closure when it is cancelled or released.
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
