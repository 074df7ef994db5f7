extension Injector {
  /// Opens a scope: an injector that inherits everything registered here, and has instances of its own.
  ///
  /// ```swift
  /// let request = try services.makeScope("request") { scope in
  ///   try scope.register(injectable: .singleton(incoming))
  /// }
  /// defer { request.closeNow() }
  /// let handler = try request.get(Handler.self)
  /// ```
  ///
  /// What is `scoped` is made once for each scope, from what the scope has. What is a singleton here stays one for all,
  /// made from what is registered here; so it must not keep anything scoped, see
  /// ``InjectorError/captiveDependency(_:path:)``. What a scope registers itself takes the place, there, of what it inherits
  /// for the service.
  ///
  /// Scopes can be opened in scopes, 200 deep. One that lies deeper is closed from the beginning, and every request there
  /// throws ``InjectorError/depthExceeded(_:depth:)``. A scope of an injector that has been closed is closed too.
  ///
  /// - Parameters:
  ///   - name: A name for diagnostics. Scopes are not found by it.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  ///   - configure: Registers what the scope adds.
  /// - Returns: The scope. Close it; what has not been closed when its last reference goes, is closed then.
  /// - Throws: What `configure` throws. The scope is closed then.
  public func makeScope(
    _ name: String = "scope", fileID: StaticString = #fileID, line: UInt = #line, configure: (Injector) throws -> Void
  ) rethrows -> Injector {
    let scope = makeScope(name, fileID: fileID, line: line)
    do {
      try configure(scope)
    } catch {
      scope.closeNow()
      throw error
    }
    return scope
  }

  /// Opens a scope that adds nothing to what it inherits, see ``makeScope(_:fileID:line:configure:)``.
  public func makeScope(
    _ name: String = "scope", fileID: StaticString = #fileID, line: UInt = #line
  ) -> Injector {
    let injector = isolatedForSetUp(fileID, line)
    // One that lies too deep is of no use to another, and the chain of them need not become longer.
    if injector.registrations.isTooDeep, let parent = injector.parent { return Injector(scope: name, of: parent) }
    return Injector(scope: name, of: injector)
  }
}
