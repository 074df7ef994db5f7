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
  /// configured once, at the first request; but not in an isolated test if it is an object, which the program and all tests
  /// share: there a request throws ``InjectorError/lifetimeUnsupported(_:lifetime:reason:)``.
  ///
  /// - Parameter configure: Receives the instance and the injector that was asked.
  /// - Returns: The injection, extended by one configuration. Several run in the order in which they were added.
  public func configure(_ configure: @escaping @isolated(any) @Sendable (Service, Injector) throws -> Void) -> Self {
    let isolation = FactoryIsolation(configure.isolation)
    let configure = erasingIsolation(of: configure)
    return mappingFactory { $0.configured(isolation, configure) }
  }

  /// Says what the closures of this injection ask for, so that ``Injector/validate()`` can know it before they run.
  ///
  /// ```swift
  /// .lazySingleton { try Checkout(payments: $0.get()) }.depends(on: (any Payments).self)
  /// ```
  ///
  /// Several calls add up: services that are got with a tag are declared in one of their own.
  ///
  /// ```swift
  /// .depends(on: (any Payments).self)
  /// .depends(on: (any Database).self, tag: "replica")
  /// ```
  ///
  /// What is declared replaces what is known otherwise. If a run asks for something else, ``Injector/validate()`` reports
  /// that from then on.
  ///
  /// - Parameters:
  ///   - services: The types of the services that the closures get. None says that there are none.
  ///   - tag: The tag that they are got with.
  public func depends<each Dependency: Sendable>(
    on services: repeat (each Dependency).Type, tag: Injector.Tag? = nil
  ) -> Self {
    mappingFactory { $0.declaring(ServiceKey.each(repeat each services, tag: tag)) }
  }

  func mappingFactory(_ change: (Factory) -> Factory) -> Self {
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
