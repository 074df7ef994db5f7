extension Injector {
  /// Something that happened while a service was got, made or given up.
  public struct Event: Sendable {
    /// What happened.
    public enum Kind: Sendable {
      /// A request was answered.
      case resolved

      /// A candidate was chosen.
      case selected(candidate: String)

      /// An instance was made, in that time, with all that it needed.
      case constructed(Duration)

      /// A request was not answered.
      case failed(InjectorError)

      /// An instance was given up, because its injector was closed.
      case closed
    }

    /// What happened.
    public let kind: Kind

    /// The service, with its tag; for one of several candidates, with its id.
    public let service: String

    /// The injector that was asked; `nil` if it has no name.
    public let injector: String?

    /// The requests that led here, from the outermost to this one.
    public let chain: [String]
  }

  /// Receives what happens in this injector and in its scopes; `nil` if nobody wants to know.
  ///
  /// ```swift
  /// services.tracer = { event in print(event) }
  /// ```
  ///
  /// It runs on the thread where it happens, at once, and without a lock; it must not ask the injector. While there is
  /// one in the program, no request takes the short way, so that all cost some more; while there is none, it costs
  /// nothing.
  public var tracer: (@Sendable (Event) -> Void)? {
    get { isolated().tracing.withLock { $0 }?.receive }
    set {
      let tracer = newValue.map(Tracer.init)
      if tracer != nil { Instrumentation.shared.begin() }
      let old = isolated().tracing.withLock { current in
        defer { current = tracer }
        return current
      }
      if old != nil { Instrumentation.shared.end() }
    }
  }
}

extension Injector.Event: CustomStringConvertible {
  /// The event in one line: `constructed Checkout in 0.0012 s (Shop → Checkout)`.
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

extension Injector {
  /// The tracer of this injector, or of what it is a scope of.
  @usableFromInline
  var nearestTracer: Tracer? {
    var injector: Injector? = self
    while let current = injector {
      if let tracer = current.tracing.withLock({ $0 }) { return tracer }
      injector = current.parent
    }
    return nil
  }

  /// Answers a request, and reports how that went, if someone wants to know.
  ///
  /// - Parameter answer: Receives the injector that answers: in an isolated test the private copy.
  @inlinable
  func withActiveInjector<Answer>(
    _ service: any Any.Type, _ tag: Tag?, _ fileID: StaticString, _ line: UInt,
    _ answer: (Injector) throws(InjectorError) -> Answer
  ) throws(InjectorError) -> Answer {
    do throws(InjectorError) {
      guard registrations.instrumentation.isActive else { return try answer(self) }
      return try isolatedOrEscaped(fileID, line).reporting(service, tag, answer)
    } catch {
      throw error.asked(at: fileID, line)
    }
  }

  @usableFromInline
  func reporting<Answer>(
    _ service: any Any.Type, _ tag: Tag?, _ answer: (Injector) throws(InjectorError) -> Answer
  ) throws(InjectorError) -> Answer {
    guard let tracer = nearestTracer else {
      let result = try answer(self)
      noteAnswer(service, tag)
      return result
    }
    let name = ServiceKey(service, tag).name
    do throws(InjectorError) {
      let result = try answer(self)
      noteAnswer(service, tag)
      tracer.receive(event(.resolved, name))
      return result
    } catch {
      tracer.receive(event(.failed(error), name))
      throw error
    }
  }

  /// Reports that a candidate has been chosen, if someone wants to know.
  @usableFromInline
  func reportSelection(of candidate: String, for declaration: Declaration) {
    nearestTracer?.receive(event(.selected(candidate: candidate), declaration.name))
  }

  /// Begins to measure how long it takes to make something, if someone wants to know.
  func constructionTrace(_ declaration: Declaration) -> ConstructionTrace? {
    guard registrations.instrumentation.isActive, let tracer = nearestTracer else { return nil }
    return ConstructionTrace(tracer: tracer, injector: self, declaration: declaration)
  }

  func event(_ kind: Event.Kind, _ name: String) -> Event {
    Event(kind: kind, service: name, injector: path, chain: ThreadContext.chain(to: name))
  }
}

/// A construction that is being measured.
struct ConstructionTrace {
  fileprivate let tracer: Tracer
  fileprivate let injector: Injector
  fileprivate let declaration: Declaration
  private let start = ContinuousClock.now

  func end() {
    tracer.receive(injector.event(.constructed(ContinuousClock.now - start), declaration.name))
  }
}
