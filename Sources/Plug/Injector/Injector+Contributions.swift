extension Injector {
  /// Registers one more implementation of a service beside others, from any module, in any order.
  ///
  /// ```swift
  /// try services.contribute((any Job).self, id: "mail") { try MailJob(outbox: $0.get()) }
  /// try services.contribute((any Job).self, id: "cleanup") { CleanUp() }
  /// let jobs = try services.getAll((any Job).self)  // or `[any Job]` as a parameter
  /// ```
  ///
  /// It applies in every context. Contributions come in the order of their priorities, then in that of their
  /// registration, and a registration of the service by itself comes last. If the service has candidates with rules, it
  /// is one more of them, whatever their type of context is. In a scope, it replaces what the scope inherits for the
  /// service; ``getAllInherited(_:tag:fileID:line:)`` gives both.
  ///
  /// - Parameters:
  ///   - type: The service.
  ///   - tag: Distinguishes the service from others of the same type.
  ///   - id: The id of the implementation, which ``getAllByID(_:tag:fileID:line:)`` gives; by default the source
  ///     location of this call.
  ///   - priority: Implementations with a higher priority come first.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  ///   - make: Makes the lazy singleton from the services of the injector it receives.
  /// - Returns: The injector, so that registrations can be chained.
  /// - Throws: What ``contribute(_:tag:injectable:id:priority:fileID:line:)`` throws.
  @discardableResult
  public func contribute<Service: Sendable>(
    _ type: Service.Type, tag: Tag? = nil, id: String? = nil, priority: Int = 0, fileID: String = #fileID,
    line: Int = #line, _ make: @escaping @isolated(any) @Sendable (Injector) throws -> Service
  ) throws(InjectorError) -> Injector {
    try contribute(
      type, tag: tag, injectable: .lazySingleton(nil, make), id: id, priority: priority, fileID: fileID, line: line)
  }

  /// Registers one more implementation of a service, made by a closure that needs nothing.
  ///
  /// - Returns: The injector, so that registrations can be chained.
  /// - Throws: What ``contribute(_:tag:injectable:id:priority:fileID:line:)`` throws.
  @discardableResult
  public func contribute<Service: Sendable>(
    _ type: Service.Type, tag: Tag? = nil, id: String? = nil, priority: Int = 0, fileID: String = #fileID,
    line: Int = #line, _ make: @escaping @isolated(any) @Sendable () throws -> Service
  ) throws(InjectorError) -> Injector {
    try contribute(
      type, tag: tag, injectable: .lazySingleton(nil, make), id: id, priority: priority, fileID: fileID, line: line)
  }

  /// Registers one more implementation of a service, with any lifetime.
  ///
  /// - Parameters:
  ///   - type: The service.
  ///   - tag: Distinguishes the service from others of the same type.
  ///   - injection: How an instance is made, and how long it lives.
  ///   - id: The id of the implementation; by default the source location of this call.
  ///   - priority: Implementations with a higher priority come first.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The injector, so that registrations can be chained.
  /// - Throws: ``InjectorError/alreadyRegistered(_:)`` if another has the id and the injector does not allow rewriting;
  ///   ``InjectorError/actorUnsupported(_:actor:)``, ``InjectorError/lifetimeUnsupported(_:lifetime:reason:)``,
  ///   ``InjectorError/sealed(_:)``, ``InjectorError/closed(_:)``. A registration that throws changes nothing.
  @discardableResult
  public func contribute<Service: Sendable>(
    _ type: Service.Type, tag: Tag? = nil, injectable injection: Injection<Service>, id: String? = nil,
    priority: Int = 0, fileID: String = #fileID, line: Int = #line
  ) throws(InjectorError) -> Injector {
    let id = id ?? "\(CodeLocation(fileID: fileID, line: line))"
    let candidate = Candidate<Service, Injector>(id, injection, priority: priority, fileID: fileID, line: line)
    try register(candidate, tag: tag) { entry, cell throws(Refusal) in
      if let selector = entry?.selector {
        return try selector.contributing(candidate, cell, allowRewrite: allowRewrite)
      }
      return try Replacement.adding(candidate, cell, to: entry, tag: tag, allowRewrite: allowRewrite)
    }
    return self
  }
}
