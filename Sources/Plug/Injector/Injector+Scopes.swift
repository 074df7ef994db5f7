extension Injector {
  /// Opens a scope: an injector that inherits everything registered here and has instances of its own.
  ///
  /// Open a scope for anything that has its own lifetime: a request, a user session, a document.
  ///
  /// ```swift
  /// let request = try services.makeScope("request") { scope in
  ///   try scope.register(injectable: .singleton(incoming))
  /// }
  /// defer { request.closeNow() }
  /// let handler = try request.get(Handler.self)
  /// ```
  ///
  /// A `scoped` service is made once per scope, from what the scope has. A singleton registered here stays one for all
  /// scopes and is made from what is registered here. A singleton that requests a scoped service would be a captive
  /// dependency, which throws ``InjectorError/captiveDependency(_:path:)``. What a scope registers replaces, within the
  /// scope, what it inherits for the service. A scope of a sealed injector can still register services of its own.
  ///
  /// Scopes can be opened in scopes, up to 200 deep. A scope deeper than that is closed from the beginning: every
  /// request in it throws ``InjectorError/depthExceeded(_:depth:)``. A scope of a closed injector is closed too.
  ///
  /// - Parameters:
  ///   - name: A name for diagnostics. Scopes cannot be found by their names.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  ///   - configure: Registers what the scope adds.
  /// - Returns: The scope. Close it when its work is done. A scope that has not been closed is closed when its last
  ///   reference is released.
  /// - Throws: What `configure` throws; then the scope is closed.
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

  /// Opens a scope that adds nothing to what it inherits.
  ///
  /// ```swift
  /// let request = services.makeScope("request")
  /// defer { request.closeNow() }
  /// ```
  ///
  /// See ``makeScope(_:fileID:line:configure:)``.
  ///
  /// - Parameters:
  ///   - name: A name for diagnostics. Scopes cannot be found by their names.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The scope. Close it when its work is done.
  public func makeScope(
    _ name: String = "scope", fileID: StaticString = #fileID, line: UInt = #line
  ) -> Injector {
    let parent = redirectedForSetUp(at: CodeLocation(fileID: "\(fileID)", line: Int(line))) ?? self
    // A scope that is too deep cannot serve another one, so the chain does not become longer.
    if parent.depth > Self.depthLimit, let outer = parent.parent { return Injector(scope: name, of: outer) }
    let scope = Injector(scope: name, of: parent)
    if parent.isClosedItself { scope.closeNowItself() }
    return scope
  }
}
