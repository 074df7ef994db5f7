// The labels of earlier code. The documentation shows the forms without them only.

extension Injector {
  /// Unregisters a service.
  @_documentation(visibility: internal) @discardableResult
  public func unregister<Service: Sendable, each Argument: Sendable>(
    type: Service.Type, tag: Tag? = nil, candidate: String? = nil, taking arguments: repeat (each Argument).Type
  ) throws(InjectorError) -> Injector {
    try unregister(type, tag: tag, candidate: candidate, taking: repeat each arguments)
  }

  /// Returns whether a service is registered here or in a parent.
  @_documentation(visibility: internal)
  public func isRegistered<Service: Sendable, each Argument: Sendable>(
    type: Service.Type, tag: Tag? = nil, taking arguments: repeat (each Argument).Type
  ) -> Bool { isRegistered(type, tag: tag, taking: repeat each arguments) }

  /// Releases the instances of one service.
  @_documentation(visibility: internal)
  public func reset<Service: Sendable>(type: Service.Type, tag: Tag? = nil) throws(InjectorError) {
    try reset(type, tag: tag)
  }

  /// Registers a candidate.
  @_documentation(visibility: internal) @discardableResult
  public func register<Service: Sendable, Context>(
    as type: Service.Type = Service.self, tag: Tag? = nil, injectable: Injection<Service>, when rule: Rule<Context>,
    id: String? = nil, priority: Int = 0, fileID: String = #fileID, line: Int = #line
  ) throws(InjectorError) -> Injector {
    try contribute(type, tag: tag, injectable, when: rule, id: id, priority: priority, fileID: fileID, line: line)
  }

  /// Registers a service that is made from arguments.
  @_documentation(visibility: internal) @discardableResult
  public func register<Service: Sendable, First: Sendable, each Rest: Sendable>(
    as type: Service.Type, tag: Tag? = nil, taking first: First.Type, _ rest: repeat (each Rest).Type,
    lifetime: ArgumentsLifetime<First, repeat each Rest> = .factory, dependsOn dependencies: [any Any.Type]? = nil,
    fileID: String = #fileID, line: Int = #line,
    _ make: @escaping @isolated(any) @Sendable (First, repeat each Rest, Injector) throws -> Service
  ) throws(InjectorError) -> Injector {
    try register(
      type, tag: tag, taking: first, repeat each rest, lifetime: lifetime, dependsOn: dependencies, fileID: fileID,
      line: line, make)
  }

  /// Registers one more implementation.
  @_documentation(visibility: internal) @discardableResult
  public func contribute<Service: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, injectable: Injection<Service>, id: String? = nil,
    priority: Int = 0, fileID: String = #fileID, line: Int = #line
  ) throws(InjectorError) -> Injector {
    try contribute(type, tag: tag, injectable, id: id, priority: priority, fileID: fileID, line: line)
  }
}
