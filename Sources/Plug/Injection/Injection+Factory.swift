extension Injection {
  /// A recipe for one instance: how it is made, on which actor, and what is done to it afterwards.
  public struct Factory: Sendable {
    @usableFromInline let core: Core

    /// Creates a factory from a closure that needs nothing.
    public init(_ make: @escaping @isolated(any) @Sendable () throws -> Service) {
      core = Core(.alone(erasingIsolation(of: make)), isolation: FactoryIsolation(make.isolation))
    }

    /// Creates a factory from a closure that is handed the injector which was asked.
    public init(_ make: @escaping @isolated(any) @Sendable (Injector) throws -> Service) {
      core = Core(.from(erasingIsolation(of: make)), isolation: FactoryIsolation(make.isolation))
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
      var dependencies: [ServiceKey] = []
      repeat dependencies.append(ServiceKey((each Dependency).self, nil))
      core = Core(.from(make), isolation: isolation, knowledge: .wired(dependencies))
    }

    /// Creates a factory that gives an instance which exists already.
    @usableFromInline
    init(giving service: Service) {
      core = Core(.alone { service }, knowledge: .none)
    }

    /// The factory of a cell that has its instance from the beginning. It is not run.
    @usableFromInline static var unused: Self { Self(Core(.alone { throw CancellationError() }, knowledge: .none)) }

    init(_ core: Core) {
      self.core = core
    }
  }
}

extension Injection.Factory {
  /// What a factory consists of; an object, because that is copied without knowing the service's type.
  @usableFromInline
  final class Core: Sendable {
    @usableFromInline let make: Maker

    /// The actor that making and setting up need.
    let isolation: FactoryIsolation

    /// What is known of the dependencies.
    let knowledge: Knowledge

    /// What is done to an instance after it has been made.
    let setup: Setup?

    /// What is done to an instance when its injector gives it up.
    let closing: Closing?

    init(
      _ make: Maker, isolation: FactoryIsolation = .none, knowledge: Knowledge = .opaque, setup: Setup? = nil,
      closing: Closing? = nil
    ) {
      self.make = make
      self.isolation = isolation
      self.knowledge = knowledge
      self.setup = setup
      self.closing = closing
    }

    /// Whether what it makes needs no configuration and can be made anywhere.
    var isDirect: Bool { setup == nil && isolation == .none }
  }

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

  struct Setup: Sendable {
    let run: @Sendable (Service, Injector) throws -> Void
  }

  struct Closing: Sendable {
    let run: @Sendable (Service) -> Void
  }

  /// A factory of what is registered elsewhere. It is not run: whoever comes to it is told so.
  static var absent: Self { Self(Core(.alone { throw CancellationError() }, knowledge: .absent)) }

  @usableFromInline var needsSetup: Bool { core.setup != nil }

  /// A factory with the same setup and closing that gives an instance which exists already.
  @usableFromInline
  func giving(_ service: Service) -> Self {
    with(make: .alone { service }, knowledge: Knowledge.none)
  }

  func configured(
    _ isolation: FactoryIsolation, _ configure: @escaping @Sendable (Service, Injector) throws -> Void
  ) -> Self {
    let earlier = core.setup
    let setup = Setup { service, injector in
      try earlier?.run(service, injector)
      try configure(service, injector)
    }
    return with(isolation: core.isolation.joined(with: isolation), setup: setup)
  }

  func closing(_ close: @escaping @Sendable (Service) -> Void) -> Self {
    let earlier = core.closing
    return with(
      closing: Closing { service in
        earlier?.run(service)
        close(service)
      })
  }

  func declaring(_ dependencies: [ServiceKey]) -> Self {
    with(knowledge: .declared(dependencies))
  }

  /// The factory with some of its parts replaced.
  private func with(
    make: Maker? = nil, isolation: FactoryIsolation? = nil, knowledge: Knowledge? = nil, setup: Setup? = nil,
    closing: Closing? = nil
  ) -> Self {
    Self(
      Core(
        make ?? core.make, isolation: isolation ?? core.isolation, knowledge: knowledge ?? core.knowledge,
        setup: setup ?? core.setup, closing: closing ?? core.closing))
  }
}
