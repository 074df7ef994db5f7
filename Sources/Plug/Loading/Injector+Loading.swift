extension Injector {
  /// Gets a service, and first makes everything that has to be made asynchronously.
  ///
  /// ```swift
  /// try services.register(
  ///   as: (any Database).self,
  ///   injectable: .lazySingleton { try await connect() })
  /// let database: any Database = try await services.load()
  /// ```
  ///
  /// A service is made once, however many tasks load it at the same time. It is made in a task of its own, which is
  /// cancelled only when every task waiting for it is cancelled. If a service is made synchronously and needs others
  /// that are not, its factory runs again after these have been loaded. A service isolated to the main actor, or to
  /// another global actor, is made there, wherever this method is called from.
  ///
  /// Loading a service that exists returns it like ``get(_:tag:fileID:line:)``.
  ///
  /// - Parameters:
  ///   - type: The service. It can be omitted where it is inferred from the result.
  ///   - tag: The tag the service is registered with.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The instance.
  /// - Throws: What ``get(_:tag:fileID:line:)`` throws; ``InjectorError/cancelled(_:)`` if the calling task is
  ///   cancelled while it waits; ``InjectorError/timedOut(_:after:)``; ``InjectorError/circularDependency(_:path:)``
  ///   also if tasks wait for each other, unless one of them is detached.
  @inlinable
  public func load<Service: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) async throws(InjectorError) -> Service {
    try await loadedBox(for: Key(type, tag), fileID, line).open()
  }

  /// Gets the winning implementation of a service for a context, and first makes everything that has to be made
  /// asynchronously.
  ///
  /// See ``load(_:tag:fileID:line:)`` for how it loads, and ``get(_:tag:in:fileID:line:)`` for how it selects.
  ///
  /// - Parameters:
  ///   - type: The service. It can be omitted where it is inferred from the result.
  ///   - tag: The tag the service is registered with.
  ///   - context: The value the candidates' rules look at.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The instance of the first candidate that applies.
  /// - Throws: What those two methods throw.
  public func load<Service: Sendable, Context: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, in context: Context, fileID: StaticString = #fileID,
    line: UInt = #line
  ) async throws(InjectorError) -> Service {
    let key = Key(type, tag)
    return try await loading(fileID, line) { injector throws(InjectorError) in
      try ContextReference.with(context) { (context) throws(InjectorError) in
        try injector.chosenBox(for: key, in: context, "", 0)
      }
    }.open()
  }

  /// Loads for a call in a user's code.
  func loading(
    _ fileID: StaticString, _ line: UInt, _ ask: @Sendable (Injector) throws(InjectorError) -> AnyBox
  ) async throws(InjectorError) -> AnyBox {
    do throws(InjectorError) {
      return try await (redirected(fileID, line) ?? self).loading(ask)
    } catch {
      throw error.asked(at: fileID, line)
    }
  }
}
