extension Injection {
  /// A recipe for one instance: how it is made, on which actor, and what is done to it afterwards.
  public struct Factory: Sendable {
    /// The closure that makes an instance.
    @usableFromInline
    enum Maker: Sendable {
      case alone(@Sendable () throws -> Service)
      case from(@Sendable (Injector) throws -> Service)

      @inlinable
      func callAsFunction(_ injector: Injector) throws -> Service {
        switch self {
        case .alone(let make): try make()
        case .from(let make): try make(injector)
        }
      }
    }

    /// What is done to an instance after it has been made.
    struct Setup: Sendable {
      let run: @Sendable (Service, Injector) throws -> Void

      func then(_ next: @escaping @Sendable (Service, Injector) throws -> Void) -> Self {
        Self { service, injector in
          try run(service, injector)
          try next(service, injector)
        }
      }
    }

    let make: Maker
    let setup: Setup?

    /// The actor that both need.
    let isolation: FactoryIsolation

    /// Creates a factory from a closure that needs nothing.
    public init(_ make: @escaping @isolated(any) @Sendable () throws -> Service) {
      self.init(isolation: FactoryIsolation(make.isolation), make: .alone(erasingIsolation(of: make)))
    }

    /// Creates a factory from a closure that is handed the injector which was asked.
    public init(_ make: @escaping @isolated(any) @Sendable (Injector) throws -> Service) {
      self.init(isolation: FactoryIsolation(make.isolation), make: .from(erasingIsolation(of: make)))
    }

    /// Creates a factory from an initializer or a function whose parameters are resolved by type.
    public init<each Dependency: Sendable>(
      wiring initializer: @escaping @isolated(any) @Sendable (repeat each Dependency) throws -> Service
    ) {
      let isolation = FactoryIsolation(initializer.isolation)
      let initializer = erasingIsolation(of: initializer)
      let make: @Sendable (Injector) throws -> Service = { injector in
        try initializer(repeat injector.get((each Dependency).self))
      }
      self.init(isolation: isolation, make: .from(make))
    }

    /// Creates a factory that gives an instance which exists already.
    @usableFromInline
    init(giving service: Service) {
      self.init(isolation: .none, make: .alone { service })
    }

    private init(isolation: FactoryIsolation, make: Maker, setup: Setup? = nil) {
      self.make = make
      self.setup = setup
      self.isolation = isolation
    }

    /// A factory with the same setup that gives an instance which exists already.
    @usableFromInline
    func giving(_ service: Service) -> Self {
      Self(isolation: isolation, make: .alone { service }, setup: setup)
    }

    func configured(
      _ isolation: FactoryIsolation, _ configure: @escaping @Sendable (Service, Injector) throws -> Void
    ) -> Self {
      let setup = setup?.then(configure) ?? Setup(run: configure)
      return Self(isolation: self.isolation.joined(with: isolation), make: make, setup: setup)
    }

    @usableFromInline var needsSetup: Bool { setup != nil }

    /// The closure, if what it makes needs no configuration and can be made anywhere.
    var direct: Maker? { setup == nil && isolation == .none ? make : nil }
  }

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
  /// were made, on the same thread. Code outside that request sees an instance only when all have finished, and if one
  /// throws, none of those instances is kept. An instance that was handed in is configured once, at the first request.
  ///
  /// - Parameter configure: Receives the instance and the injector that was asked.
  /// - Returns: The injection, extended by one configuration. Several run in the order in which they were added.
  public func configure(_ configure: @escaping @isolated(any) @Sendable (Service, Injector) throws -> Void) -> Self {
    let isolation = FactoryIsolation(configure.isolation)
    let configure = erasingIsolation(of: configure)
    return switch self {
    case .singleton(let service): .lazySingleton(nil, Factory(giving: service).configured(isolation, configure))
    case .lazySingleton(let instance, let factory): .lazySingleton(instance, factory.configured(isolation, configure))
    case .factory(let factory): .factory(factory.configured(isolation, configure))
    }
  }

  /// The actor that making an instance needs.
  var isolation: FactoryIsolation {
    switch self {
    case .singleton: .none
    case .lazySingleton(_, let factory), .factory(let factory): factory.isolation
    }
  }
}
