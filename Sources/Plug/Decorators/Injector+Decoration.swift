extension Injector {
  /// Wraps every instance of a service that this injector or a scope of it gives.
  ///
  /// ```swift
  /// try services.decorate((any SearchProvider).self, id: "logging") { inner, injector in
  ///   LoggingSearch(inner, log: try injector.get())
  /// }
  /// ```
  ///
  /// It does not matter whether the service is registered before or after this, how long its instances live, or whether
  /// there are several candidates: each instance is wrapped once, when it is made. Several decorators wrap it in the order in
  /// which they are declared, those of an outer injector first. A scope can decorate what it inherits: there it has one
  /// more wrapping of its own. Only what a scope has registered itself before its outer injector is decorated stays as it
  /// is.
  ///
  /// A provider has a ``Provider/decorate(id:fileID:line:_:)`` of its own: it is no service that is got by its type.
  ///
  /// What ``Injection/configure(_:)`` and ``Injection/onClose(_:)-2kwn8`` receive is the instance that was made, as it was before. What a
  /// test overrides is not wrapped.
  ///
  /// - Parameters:
  ///   - type: The service.
  ///   - tag: The tag it is registered with.
  ///   - id: The name of the decorator, as ``graph()`` and ``explain(_:tag:)`` show it; by default the place of this call.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  ///   - wrap: Receives an instance and the injector that was asked, and gives what everyone gets in its place. It may
  ///     belong to the main actor; then the instance is made there.
  /// - Throws: ``InjectorError/instanceExists(_:)`` if an instance is in use that would not be wrapped, here or in a scope,
  ///   ``InjectorError/actorUnsupported(_:actor:)``, ``InjectorError/sealed(_:)``, ``InjectorError/closed(_:)``. Nothing has
  ///   changed then.
  public func decorate<Service: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, id: String? = nil, fileID: String = #fileID,
    line: Int = #line, _ wrap: @escaping @isolated(any) @Sendable (Service, Injector) throws -> Service
  ) throws(InjectorError) {
    let key = ServiceKey(type, tag)
    try decorate(key, calledAs: key, id: id, at: CodeLocation(fileID: fileID, line: line), wrap)
  }

  /// Wraps the instances that are decorated under a key.
  ///
  /// - Parameter name: What diagnostics call it.
  func decorate<Service: Sendable>(
    _ key: ServiceKey, calledAs name: ServiceKey, id: String?, at location: CodeLocation,
    _ wrap: @escaping @isolated(any) @Sendable (Service, Injector) throws -> Service
  ) throws(InjectorError) {
    let decoration = Decoration(
      id: id ?? "\(location)", isolation: FactoryIsolation(wrap.isolation), erasingIsolation(of: wrap))
    let injector = isolatedForSetUp(at: location)
    if let actor = decoration.isolation.unsupportedActor {
      throw .actorUnsupported(InjectorError.Facts(service: name.service, tag: name.tag, in: injector), actor: actor)
    }
    try injector.reportingRefusal(name.service, tag: name.tag, candidate: nil) { () throws(Refusal) in
      try injector.decorate(key, with: decoration)
      return (nil, nil)
    }
  }
}
