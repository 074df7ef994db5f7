extension Injector {
  /// Decorates every instance of a service that this injector or a scope of it returns.
  ///
  /// ```swift
  /// try services.decorate((any SearchProvider).self, id: "logging") {
  ///   inner, injector in
  ///   LoggingSearch(inner, log: try injector.get())
  /// }
  /// ```
  ///
  /// The service can be registered before or after its decorator, with any lifetime and with any number of candidates.
  /// Each instance is decorated once, when it is made. Several decorators apply in the order in which they are
  /// declared, those of an outer injector first.
  ///
  /// A scope can decorate what it inherits, and then has a decoration of its own on top of the inherited one. The
  /// exception is a service that a scope registered itself before its outer injector was decorated: it stays as it is.
  ///
  /// A provider has a ``Provider/decorate(id:fileID:line:_:)`` of its own, because it is not requested by its type.
  ///
  /// ``Injection/configure(fileID:line:_:)`` and ``Injection/onClose(_:)-2kwn8`` receive the instance the factory made,
  /// without decorators. What a test overrides is not decorated.
  ///
  /// - Parameters:
  ///   - type: The service.
  ///   - tag: The tag the service is registered with.
  ///   - id: The name of the decorator in graphs and ``explain(_:tag:)``; by default the source location of this
  ///     call.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  ///   - wrap: Receives an instance and the injector that was asked, and returns what everyone gets instead. It may be
  ///     isolated to the main actor; then the instance is made there.
  /// - Throws: ``InjectorError/instanceExists(_:)`` if an undecorated instance is in use, here or in a scope;
  ///   ``InjectorError/actorUnsupported(_:actor:)``, ``InjectorError/sealed(_:)``, ``InjectorError/closed(_:)``. A
  ///   decoration that throws changes nothing.
  public func decorate<Service: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, id: String? = nil, fileID: String = #fileID,
    line: Int = #line, _ wrap: @escaping @isolated(any) @Sendable (Service, Injector) throws -> Service
  ) throws(InjectorError) {
    let key = Key(type, tag)
    try decorate(key, calledAs: key, id: id, at: CodeLocation(fileID: fileID, line: line), wrap)
  }
}
