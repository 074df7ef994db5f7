extension Injection {
  /// Runs `configure` with each instance after it has been made: setter injection.
  ///
  /// Two services may refer to each other when at least one of them gets the other here:
  ///
  /// ```swift
  /// .lazySingleton { Coordinator() }.configure { coordinator, injector in
  ///   coordinator.screen = try injector.get(Screen.self)
  /// }
  /// ```
  ///
  /// Everything that one request needs is made first; then the configurations run, in the order in which the instances
  /// were made, on the same thread. Code outside that request sees an instance that is configured, or one that was made
  /// from it, only when all have finished, and if one throws, none of these is kept. An instance that was handed in is
  /// configured once, at the first request.
  ///
  /// - Parameter configure: Receives the instance and the injector that was asked.
  /// - Returns: The injection, extended by one configuration. Several run in the order in which they were added.
  public func configure(_ configure: @escaping @isolated(any) @Sendable (Service, Injector) throws -> Void) -> Self {
    let isolation = FactoryIsolation(configure.isolation)
    let configure = erasingIsolation(of: configure)
    return mappingFactory { $0.configured(isolation, configure) }
  }

  /// Runs `close` with each instance when its injector gives it up.
  ///
  /// ```swift
  /// .scoped { try Connection() }.onClose { $0.disconnect() }
  /// ```
  ///
  /// That is when the injector or scope which made the instance is closed or released, in reverse order of
  /// construction, or when the registration is removed or replaced. It happens once for each instance, on the thread
  /// which does that.
  ///
  /// Only instances that an injector keeps can be closed by it: one that is made anew for each request belongs to
  /// whoever asked, and one that is kept weakly ends by itself. Registering such a one with `onClose` throws
  /// ``InjectorError/lifetimeUnsupported(_:lifetime:reason:)``.
  ///
  /// - Parameter close: Receives the instance. Several run in the order in which they were added.
  public func onClose(_ close: @escaping @Sendable (Service) -> Void) -> Self {
    mappingFactory { $0.closing(close) }
  }

  /// Says what the closures of this injection ask for, so that ``Injector/validate()`` can know it before they run.
  ///
  /// ```swift
  /// .lazySingleton { try Checkout(payments: $0.get()) }.depends(on: (any Payments).self)
  /// ```
  ///
  /// It replaces what is known otherwise. If a run asks for something else, ``Injector/validate()`` reports that from
  /// then on.
  ///
  /// - Parameter services: The types of the services that the closures get without a tag. None says that there are none.
  public func depends<each Dependency: Sendable>(on services: repeat (each Dependency).Type) -> Self {
    var dependencies: [ServiceKey] = []
    repeat dependencies.append(ServiceKey(each services, nil))
    return mappingFactory { $0.declaring(dependencies) }
  }

  private func mappingFactory(_ change: (Factory) -> Factory) -> Self {
    switch self {
    case .singleton(let service): .lazySingleton(service, change(Factory(giving: service)))
    case .lazySingleton(let instance, let factory): .lazySingleton(instance, change(factory))
    case .weakSingleton(let factory): .weakSingleton(change(factory))
    case .scoped(let factory): .scoped(change(factory))
    case .graph(let factory): .graph(change(factory))
    case .factory(let factory): .factory(change(factory))
    }
  }
}

extension Injection {
  /// How long an instance lives.
  public var lifetime: Lifetime {
    switch self {
    case .singleton: .singleton
    case .lazySingleton: .lazySingleton
    case .weakSingleton: .weakSingleton
    case .scoped: .scoped
    case .graph: .graph
    case .factory: .factory
    }
  }
}
