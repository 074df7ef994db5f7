extension Injector {
  /// Opens a scope: an injector that inherits all registrations of this one and has instances of its own.
  ///
  /// Open a scope for anything that has its own lifetime: a request, a user session, a document.
  ///
  /// ```swift
  /// let request = try services.makeScope("request") { scope in
  ///   try scope.register(.singleton(incoming))
  /// }
  /// defer { request.closeNow() }
  /// let handler = try request.get(Handler.self)
  /// ```
  ///
  /// A `scoped` service is made once per scope, from the services of the scope. A singleton registered here is shared
  /// by all scopes, and is made from the services of this injector. A singleton that requests a scoped service would be
  /// a captive dependency, which throws ``InjectorError/captiveDependency(_:path:)``. Within a scope, its own
  /// registrations replace the inherited ones. A scope of a sealed injector can still register services of its own.
  ///
  /// Scopes can be nested up to 200 deep. A deeper scope is closed from the start: every request in it throws
  /// ``InjectorError/depthExceeded(_:depth:)``. A scope of a closed injector is closed, too.
  ///
  /// - Parameters:
  ///   - name: A name for diagnostics, by which the scope is not found.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  ///   - configure: Registers the services that the scope adds.
  /// - Returns: The scope. Close it when its work is done. A scope that has not been closed is closed when its last
  ///   reference is released.
  /// - Throws: The error that `configure` throws. The scope is closed then.
  public func makeScope(
    _ name: String = "scope", fileID: StaticString = #fileID, line: UInt = #line, configure: (Injector) throws -> Void
  ) rethrows -> Injector {
    try openScope(name, nil, fileID, line).configured(by: configure)
  }

  /// Opens a scope with the inherited registrations only.
  ///
  /// ```swift
  /// let request = services.makeScope("request")
  /// defer { request.closeNow() }
  /// ```
  ///
  /// See ``makeScope(_:fileID:line:configure:)``.
  ///
  /// - Parameters:
  ///   - name: A name for diagnostics, by which the scope is not found.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The scope. Close it when its work is done.
  public func makeScope(
    _ name: String = "scope", fileID: StaticString = #fileID, line: UInt = #line
  ) -> Injector {
    openScope(name, nil, fileID, line)
  }

  /// Opens a scope that is found by its name.
  ///
  /// Open one for a feature that has an environment of its own: services that only it uses, and instances that end with
  /// it.
  ///
  /// ```swift
  /// nonisolated extension Injector.Name { static let feed: Self = "feed" }
  ///
  /// let feed = try app.makeScope(.feed) { feed in
  ///   try feed.register { FeedModel(network: try $0.get()) }
  /// }
  /// struct FeedScreen { @Injected(.feed) var model: FeedModel }
  /// ```
  ///
  /// `Injector[.feed]` and `@Injected(.feed)` find the scope until it is closed or released, or until another scope or
  /// injector is created with the name. If many scopes of one kind are open at the same time, such as those of
  /// requests, pass a string: a name finds only the last of them.
  ///
  /// - Parameters:
  ///   - name: The name, also for diagnostics.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  ///   - configure: Registers the services that the scope adds.
  /// - Returns: The scope. Keep it, and close it when its work is done.
  /// - Throws: The error that `configure` throws. The scope is closed then.
  public func makeScope(
    _ name: Name, fileID: StaticString = #fileID, line: UInt = #line, _ configure: (Injector) throws -> Void
  ) rethrows -> Injector {
    try openScope(name.rawValue, name == .current ? nil : name, fileID, line).configured(by: configure)
  }

  /// Opens a scope with the inherited registrations only, which is found by its name.
  ///
  /// See ``makeScope(_:fileID:line:_:)``.
  ///
  /// - Parameters:
  ///   - name: The name, also for diagnostics.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The scope. Keep it, and close it when its work is done.
  public func makeScope(_ name: Name, fileID: StaticString = #fileID, line: UInt = #line) -> Injector {
    openScope(name.rawValue, name == .current ? nil : name, fileID, line)
  }

  private func openScope(_ text: String, _ name: Name?, _ fileID: StaticString, _ line: UInt) -> Injector {
    let parent = activeForSetUp(at: CodeLocation(fileID: "\(fileID)", line: Int(line)))
    // A scope that is too deep cannot serve another one, so the chain does not become longer.
    if parent.depth > Self.depthLimit, let outer = parent.parent { return Injector(scope: text, of: outer) }
    let scope = Injector(scope: text, of: parent, name)
    if parent.isClosedItself { scope.closeNowItself() }
    scope.takeName()
    return scope
  }

  private func configured(by configure: (Injector) throws -> Void) rethrows -> Injector {
    do {
      try configure(self)
    } catch {
      closeNow()
      throw error
    }
    return self
  }
}

extension Injector {
  /// The current injector of the calling task; `nil` if there is none.
  ///
  /// ```swift
  /// let logger = try Injector.current?.get(Logger.self)
  /// ```
  ///
  /// ``run(isolation:_:)`` and ``withScope(_:fileID:line:isolation:_:)`` make an injector the current one. Child tasks
  /// and `Task { }` inherit it. Detached tasks, threads and callbacks of other libraries do not. A task that outlives
  /// the scope still finds it here, and every request in the closed scope throws ``InjectorError/closed(_:)``.
  public static var current: Injector? { inheritance.get().injector }

  static func requireCurrent(for key: Key) throws(InjectorError) -> Injector {
    if let current { return current }
    let way = ThreadStack.current.with { $0.path.map(\.name) }
    throw .currentMissing(InjectorError.Facts(.service(ServiceName(key: key, candidate: nil)), in: .none, after: way))
  }

  /// Runs a closure in which this injector is the current one.
  ///
  /// ```swift
  /// try scope.run { try handle(request) }  // @Injected(.current) and Injector.current find the scope
  /// ```
  ///
  /// The injector is current until the closure returns, and in tasks that inherit it from there. Running one injector
  /// inside another makes the inner one current. It is not closed.
  ///
  /// - Parameter body: Runs at once, on the calling thread.
  /// - Returns: The result of `body`.
  /// - Throws: The error that `body` throws.
  @_disfavoredOverload  // An asynchronous function calls the other overload, whatever the closure does.
  public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Self.inheritance.withValue(inheritance, operation: body)
  }

  /// Runs an asynchronous closure in which this injector is the current one.
  ///
  /// ```swift
  /// let response = try await scope.run { try await handle(request) }
  /// ```
  ///
  /// - Parameters:
  ///   - isolation: The actor on which `body` runs; by default the caller's.
  ///   - body: Runs in the calling task.
  /// - Returns: The result of `body`.
  /// - Throws: The error that `body` throws.
  public func run<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await Self.inheritance.withValue(inheritance, operation: body, isolation: isolation)
  }

  /// Opens a scope, runs a closure in it, and closes it.
  ///
  /// ```swift
  /// let receipt = try services.withScope("checkout") { scope in
  ///   try scope.register(.singleton(basket))
  ///   return try scope.get(Checkout.self).pay()
  /// }
  /// ```
  ///
  /// The scope is the current injector until it is closed. When the closure has returned or thrown, ``closeNow()``
  /// closes the scope: asynchronous closings continue in a task.
  ///
  /// - Parameters:
  ///   - name: A name for diagnostics, by which the scope is not found.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  ///   - body: Receives the scope. Do not return an object that uses the scope later.
  /// - Returns: The result of `body`.
  /// - Throws: The error that `body` throws.
  @_disfavoredOverload
  public func withScope<Result>(
    _ name: String = "scope", fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (Injector) throws -> Result
  ) rethrows -> Result {
    let scope = makeScope(name, fileID: fileID, line: line)
    return try scope.run {
      defer { scope.closeNow() }
      return try body(scope)
    }
  }

  /// Opens a scope, runs an asynchronous closure in it, and returns when the scope has been closed.
  ///
  /// ```swift
  /// return try await services.withScope("request") { scope in
  ///   try scope.register(.singleton(request))
  ///   return try await scope.load(Handler.self).respond()
  /// }
  /// ```
  ///
  /// The scope is the current injector until it is closed. When the closure has returned or thrown,
  /// ``close(timeout:clock:)`` closes the scope, even if the task has been cancelled. A tracer of the product
  /// PlugOperations receives failures to close.
  ///
  /// - Parameters:
  ///   - name: A name for diagnostics, by which the scope is not found.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  ///   - isolation: The actor on which `body` runs; by default the caller's.
  ///   - body: Receives the scope. Do not return an object that uses the scope later.
  /// - Returns: The result of `body`.
  /// - Throws: The error that `body` throws.
  public func withScope<Result>(
    _ name: String = "scope", fileID: StaticString = #fileID, line: UInt = #line,
    isolation: isolated (any Actor)? = #isolation, _ body: (Injector) async throws -> Result
  ) async rethrows -> Result {
    let scope = makeScope(name, fileID: fileID, line: line)
    return try await scope.run {
      do {
        let result = try await body(scope)
        await scope.close()
        return result
      } catch {
        await scope.close()
        throw error
      }
    }
  }
}
