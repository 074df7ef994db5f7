extension Injection {
  /// A recipe for one instance: how it is made, on which actor, and what is done to it afterwards.
  public struct Factory: Sendable {
    typealias Configuration = @Sendable (Service, Injector) throws -> Void

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

    let make: Maker
    let isolation: FactoryIsolation
    var configurations: [(isolation: FactoryIsolation, run: Configuration)] = []

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
    init(giving service: Service) {
      self.init(isolation: .none, make: .alone { service })
    }

    private init(isolation: FactoryIsolation, make: Maker) {
      self.make = make
      self.isolation = isolation
    }

    /// A factory with the same configurations that gives an instance which exists already.
    func giving(_ service: Service) -> Self {
      var factory = Self(giving: service)
      factory.configurations = configurations
      return factory
    }

    /// The closure, if what it makes needs no configuration and can be made anywhere.
    var direct: Maker? {
      configurations.isEmpty && isolation == .none ? make : nil
    }

    /// Whether the instance can only be made, or only be configured, on the main actor.
    var requiresMainActor: Bool {
      isolation == .mainActor || configurations.contains { $0.isolation == .mainActor }
    }

    /// The name of an actor that a synchronous request cannot run on, if a closure belongs to one.
    var unsupportedActor: String? {
      for isolation in [isolation] + configurations.map(\.isolation) {
        if case .unsupported(let actor) = isolation { return actor }
      }
      return nil
    }
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
    let configuration = (FactoryIsolation(configure.isolation), erasingIsolation(of: configure))
    switch self {
    case .singleton(let service):
      var factory = Factory(giving: service)
      factory.configurations.append(configuration)
      return .lazySingleton(nil, factory)
    case .lazySingleton(let instance, var factory):
      factory.configurations.append(configuration)
      return .lazySingleton(instance, factory)
    case .factory(var factory):
      factory.configurations.append(configuration)
      return .factory(factory)
    }
  }

  /// The name of an actor that a synchronous request cannot run on, if a closure belongs to one.
  var unsupportedActor: String? {
    switch self {
    case .singleton: nil
    case .lazySingleton(_, let factory), .factory(let factory): factory.unsupportedActor
    }
  }
}
