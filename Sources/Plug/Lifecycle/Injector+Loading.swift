extension Injector {
  /// Gets a service, and makes before that whatever has to be made asynchronously.
  ///
  /// ```swift
  /// try services.register(as: (any Database).self, injectable: .lazySingleton { try await connect() })
  /// let database: any Database = try await services.load()
  /// ```
  ///
  /// However many tasks load a service at once, it is made once, in a task of its own: what cancels one of them does not
  /// cancel it, only what cancels the last one does. A service that is made synchronously, and needs others that are not,
  /// is asked for again after these have been loaded. What is made on the main actor is made there, wherever this is
  /// called.
  ///
  /// - Parameters:
  ///   - type: The service; can be left out where the result tells it.
  ///   - tag: The tag it is registered with.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Throws: What ``get(_:tag:fileID:line:)`` throws; ``InjectorError/cancelled(_:)`` if the calling task is cancelled
  ///   while it waits, ``InjectorError/timedOut(_:after:)``,
  ///   ``InjectorError/circularDependency(_:path:)`` also where tasks wait for each other, unless one is detached.
  public func load<Service: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) async throws(InjectorError) -> Service {
    if let instance = registrations.instance(type, tag) { return instance }
    return try await loading(type, tag, fileID, line) { injector throws(InjectorError) in
      try injector.getOrDerive(type, tag)
    }
  }

  /// Gets the winner among a service's candidates for a context, and makes before that whatever has to be made
  /// asynchronously, see ``load(_:tag:fileID:line:)``.
  public func load<Service: Sendable, Context: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, in context: Context, fileID: StaticString = #fileID,
    line: UInt = #line
  ) async throws(InjectorError) -> Service {
    try await loading(type, tag, fileID, line) { injector throws(InjectorError) in
      guard let entry: Entry<Service> = try injector.lookUp(type, tag, givesContext: true) else {
        return try injector.derive(type, tag, in: context)
      }
      if let service = try entry.first(in: context, for: injector) { return service }
      throw entry.noCandidate(in: context, for: injector)
    }
  }

  /// Answers a request as ``answering(_:)`` does, and reports how that went, if someone wants to know.
  func loading<Answer: Sendable>(
    _ service: any Any.Type, _ tag: Tag?, _ fileID: StaticString, _ line: UInt, _ answer: @escaping Answering<Answer>
  ) async throws(InjectorError) -> Answer {
    let injector = isolated(fileID, line)
    let tracer = registrations.instrumentation.isActive ? injector.nearestTracer : nil
    do throws(InjectorError) {
      let result = try await injector.answering(answer)
      injector.noteAnswer(service, tag)
      tracer?.receive(injector.event(.resolved, ServiceKey(service, tag).name))
      return result
    } catch {
      let error = error.asked(at: fileID, line)
      tracer?.receive(injector.event(.failed(error), ServiceKey(service, tag).name))
      throw error
    }
  }
}
