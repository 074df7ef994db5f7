extension Injection {
  /// A recipe for one instance: how it is made, on which actor, and what is done to it afterwards.
  public struct Factory: Sendable {
    @usableFromInline let core: Core

    /// Creates a factory from a closure that needs nothing.
    public init(_ make: @escaping @isolated(any) @Sendable () throws -> Service) {
      let isolation = FactoryIsolation(make.isolation)
      var extras = Extras()
      if let actor = isolation.unsupportedActor { extras.loader = Loader(actor: actor) { _ in try await make() } }
      core = Core(.alone(erasingIsolation(of: make)), isolation: isolation.synchronous, extras: extras)
    }

    /// Creates a factory from a closure that is handed the injector which was asked.
    public init(_ make: @escaping @isolated(any) @Sendable (Injector) throws -> Service) {
      let isolation = FactoryIsolation(make.isolation)
      var extras = Extras()
      if let actor = isolation.unsupportedActor {
        extras.loader = Loader(actor: actor) { injector in try await make(injector) }
      }
      core = Core(.from(erasingIsolation(of: make)), isolation: isolation.synchronous, extras: extras)
    }

    /// Creates a factory from an initializer or a function whose parameters are resolved by type.
    public init<each Dependency: Sendable>(
      wiring initializer: @escaping @isolated(any) @Sendable (repeat each Dependency) throws -> Service
    ) {
      let isolation = FactoryIsolation(initializer.isolation)
      var extras = Extras()
      if let actor = isolation.unsupportedActor {
        extras.loader = Loader(actor: actor) { injector in
          try await initializer(repeat injector.load((each Dependency).self))
        }
      }
      let make = erasingIsolation(of: initializer)
      core = Core(
        .from { injector in try make(repeat injector.get((each Dependency).self)) }, isolation: isolation.synchronous,
        knowledge: .wired(ServiceKey.each(repeat (each Dependency).self)), extras: extras)
    }

    /// Creates a factory from an asynchronous closure.
    @usableFromInline
    init(loading load: @escaping @Sendable (Injector) async throws -> Service) {
      core = Core(.unused, extras: Extras(loader: Loader(run: load)))
    }

    /// Creates a factory from an asynchronous initializer or function whose parameters are loaded by type.
    @usableFromInline
    init<each Dependency: Sendable>(
      loadingWiring initializer: @escaping @Sendable @concurrent (repeat each Dependency) async throws -> Service
    ) {
      let loader = Loader { injector in try await initializer(repeat injector.load((each Dependency).self)) }
      core = Core(
        .unused, knowledge: .wired(ServiceKey.each(repeat (each Dependency).self)), extras: Extras(loader: loader))
    }

    /// Creates a factory that gives an instance which exists already.
    @usableFromInline
    init(giving service: Service) {
      core = Core(.alone { service }, knowledge: .none)
    }

    /// The factory of a cell that has its instance from the beginning. It is not run.
    @usableFromInline static var unused: Self { Self(Core(.unused, knowledge: .none)) }

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
    let closing: Closing<Service>?

    private let rare: Rare

    /// Whether the instance is made asynchronously.
    let isLoaded: Bool

    /// Whether instances are wrapped.
    let isDecorated: Bool

    var extras: Extras { if case .some(let extras) = rare { extras } else { Extras() } }

    init(
      _ make: Maker, isolation: FactoryIsolation = .none, knowledge: Knowledge = .opaque, setup: Setup? = nil,
      closing: Closing<Service>? = nil, extras: Extras = Extras()
    ) {
      self.make = make
      self.isolation = isolation
      self.knowledge = knowledge
      self.setup = setup
      self.closing = closing
      rare = extras.isEmpty ? .none : .some(extras)
      isLoaded = extras.loader != nil
      isDecorated = !extras.decorations.isEmpty
    }

    /// Whether what it makes is given as it is, and can be made anywhere.
    var isDirect: Bool { setup == nil && isolation == .none && !isDecorated }
  }

  /// The closure that makes an instance.
  @usableFromInline
  enum Maker: Sendable {
    case alone(@Sendable () throws -> Service)
    case from(@Sendable (Injector) throws -> Service)

    /// Of a factory that is not run.
    @usableFromInline static var unused: Self { .alone { throw CancellationError() } }

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

  /// The asynchronous closure that makes an instance.
  struct Loader: Sendable {
    /// The actor that a synchronous closure belongs to, which is called asynchronously because of that.
    var actor: String?
    let run: @Sendable (Injector) async throws -> Service
  }

  /// What few factories have.
  struct Extras: Sendable {
    var loader: Loader?

    /// Whether ``Injector/start(timeout:clock:)`` makes the instance.
    var isEager = false

    /// How long loading and closing may take.
    var limits = TimeLimits()

    /// What wraps the instances, in declared order.
    var decorations: [Decoration<Service>] = []

    var isEmpty: Bool { loader == nil && !isEager && limits.isEmpty && decorations.isEmpty }
  }

  /// Where that is kept: in a box, because every registration has a core.
  private enum Rare: Sendable {
    case none
    indirect case some(Extras)
  }

  /// A factory of what is registered elsewhere. It is not run: whoever comes to it is told so.
  static var absent: Self { Self(Core(.unused, knowledge: .absent)) }

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

  func closing(_ step: Closing<Service>.Step) -> Self {
    with(closing: Closing(steps: (core.closing?.steps ?? []) + [step]))
  }

  func decorated(by decorations: [Decoration<Service>]) -> Self {
    var extras = core.extras
    extras.decorations += decorations
    let isolation = decorations.reduce(core.isolation) { $0.joined(with: $1.isolation) }
    return with(isolation: isolation, extras: extras)
  }

  func extending(_ change: (inout Extras) -> Void) -> Self {
    var extras = core.extras
    change(&extras)
    return with(extras: extras)
  }

  func declaring(_ dependencies: [ServiceKey]) -> Self {
    with(knowledge: .declared(dependencies))
  }

  /// The factory with some of its parts replaced.
  private func with(
    make: Maker? = nil, isolation: FactoryIsolation? = nil, knowledge: Knowledge? = nil, setup: Setup? = nil,
    closing: Closing<Service>? = nil, extras: Extras? = nil
  ) -> Self {
    Self(
      Core(
        make ?? core.make, isolation: isolation ?? core.isolation, knowledge: knowledge ?? core.knowledge,
        setup: setup ?? core.setup, closing: closing ?? core.closing, extras: extras ?? core.extras))
  }
}
