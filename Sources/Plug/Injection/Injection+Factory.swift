extension Injection {
  /// A recipe for one instance: how it is made, which actor it is isolated to, and what happens to it afterwards.
  ///
  /// The cases of ``Injection`` contain factories. You rarely create one yourself, because each case also has a form
  /// that takes a closure:
  ///
  /// ```swift
  /// Injection<any Cache>.scoped { MemoryCache() }
  /// Injection<any Cache>.scoped(Injection.Factory { MemoryCache() })
  /// ```
  public struct Factory: Sendable {
    @usableFromInline let core: Core

    /// Creates a factory from a closure that needs no other service.
    ///
    /// - Parameter make: Makes an instance. It may be isolated to the main actor. If it is isolated to another global
    ///   actor, the instance can only be loaded; see ``Injector/load(_:tag:fileID:line:)``.
    public init(_ make: @escaping @isolated(any) @Sendable () throws -> Service) {
      let isolation = FactoryIsolation(make.isolation)
      guard case .unsupported(let actor) = isolation else {
        core = Core(.alone(erasingIsolation(of: consume make)), isolation: isolation)
        return
      }
      core = Core(.unused, extras: Extras(loader: Loader(actor: actor) { _ in try await make() }))
    }

    /// Creates a factory from a closure that receives the injector.
    ///
    /// - Parameter make: Makes an instance from the services of the injector it receives. Request them from that
    ///   injector rather than from a captured one.
    public init(_ make: @escaping @isolated(any) @Sendable (Injector) throws -> Service) {
      let isolation = FactoryIsolation(make.isolation)
      guard case .unsupported(let actor) = isolation else {
        core = Core(.from(erasingIsolation(of: consume make)), isolation: isolation)
        return
      }
      core = Core(.unused, extras: Extras(loader: Loader(actor: actor) { injector in try await make(injector) }))
    }

    /// Creates a factory from an initializer or a function whose parameters are resolved by type.
    ///
    /// - Parameter initializer: An initializer or a function. ``Injector/validate(_:)`` knows its dependencies from its
    ///   parameters.
    @inlinable
    public init<each Dependency: Sendable>(
      wiring initializer: @escaping @isolated(any) @Sendable (repeat each Dependency) throws -> Service
    ) {
      let make = erasingIsolation(of: initializer)
      self.init(wired: initializer) { injector in
        try make(repeat injector.getWired((each Dependency).self))
      }
    }

    /// - Parameter make: Calls the initializer, unless that is isolated to an actor on which instances are only loaded.
    @usableFromInline
    init<each Dependency: Sendable>(
      wired initializer: @escaping @isolated(any) @Sendable (repeat each Dependency) throws -> Service,
      _ make: @escaping @Sendable (Injector) throws -> Service
    ) {
      let isolation = FactoryIsolation(initializer.isolation)
      let dependencies = ServiceKey.each(repeat (each Dependency).self)
      guard case .unsupported(let actor) = isolation else {
        core = Core(.from(make), isolation: isolation, knowledge: .wired(dependencies))
        return
      }
      let loader = Loader(actor: actor) { injector in
        try await initializer(repeat injector.load((each Dependency).self, fileID: "", line: 0))
      }
      core = Core(.unused, knowledge: .wired(dependencies), extras: Extras(loader: loader))
    }

    /// Creates a factory from an asynchronous closure.
    @usableFromInline
    init(loading load: @escaping @Sendable @concurrent (Injector) async throws -> Service) {
      core = Core(.unused, extras: Extras(loader: Loader(run: load)))
    }

    /// Creates a factory from an asynchronous initializer or function whose parameters are loaded by type.
    @usableFromInline
    init<each Dependency: Sendable>(
      loadingWiring initializer: @escaping @Sendable @concurrent (repeat each Dependency) async throws -> Service
    ) {
      let loader = Loader { injector in
        try await initializer(repeat injector.load((each Dependency).self, fileID: "", line: 0))
      }
      core = Core(
        .unused, knowledge: .wired(ServiceKey.each(repeat (each Dependency).self)), extras: Extras(loader: loader))
    }

    /// Creates a factory that returns an existing instance.
    @usableFromInline
    init(giving service: Service) {
      core = Core(.alone { service }, knowledge: .none)
    }

    init(_ core: Core) {
      self.core = core
    }
  }
}

extension Injection.Factory {
  /// The parts of a factory.
  ///
  /// It is an object because an object can be copied without knowing the service's type.
  @usableFromInline
  final class Core: Sendable {
    @usableFromInline let make: Maker

    /// The actor that making and configuring an instance have to run on.
    let isolation: FactoryIsolation

    /// What is known about the dependencies.
    let knowledge: Knowledge

    /// What happens to an instance after it has been made.
    let setup: Setup?

    /// What happens to an instance when its injector releases it.
    let closing: CloseActions<Service>?

    let extras: Extras?

    /// Whether the instance is made asynchronously.
    let isLoaded: Bool

    /// Whether instances are decorated.
    let isDecorated: Bool

    init(
      _ make: Maker, isolation: FactoryIsolation = .none, knowledge: Knowledge = .opaque, setup: Setup? = nil,
      closing: CloseActions<Service>? = nil, extras: Extras? = nil
    ) {
      self.make = make
      self.isolation = isolation
      self.knowledge = knowledge
      self.setup = setup
      self.closing = closing
      self.extras = extras
      isLoaded = extras?.loader != nil
      isDecorated = extras?.decorations.isEmpty == false
    }

    /// Whether an instance is returned as it was made, can be made on any thread, and cannot be rejected.
    func isDirect(for lifetime: Lifetime) -> Bool {
      guard setup == nil, isolation == .none, !isDecorated, !isLoaded else { return false }
      if case .absent = knowledge { return false }
      return switch lifetime {
      case .factory: closing == nil && extras?.isEager != true
      case .lazySingleton, .scoped: true
      default: false
      }
    }
  }

  /// The closure that makes an instance.
  @usableFromInline
  enum Maker: Sendable {
    case alone(@Sendable () throws -> Service)
    case from(@Sendable (Injector) throws -> Service)

    /// The closure of a factory that never runs.
    @usableFromInline static var unused: Self { .alone { throw CancellationError() } }

    @inlinable
    func callAsFunction(_ injector: Injector) throws -> Service {
      switch self {
      case .alone(let make): try make()
      case .from(let make): try make(injector)
      }
    }
  }

  /// The configurations of an instance, in one closure.
  struct Setup: Sendable {
    let run: @Sendable (Service, Injector) throws -> Void
  }

  /// The asynchronous closure that makes an instance.
  struct Loader: Sendable {
    /// The actor that a synchronous closure is isolated to, if that is why it is called asynchronously.
    var actor: String?
    let run: @Sendable (Injector) async throws -> Service
  }

  /// What few factories have. It is an object of its own because every registration has a core.
  final class Extras: Sendable {
    let loader: Loader?

    /// Whether ``Injector/start(timeout:clock:)`` makes the instance.
    let isEager: Bool

    /// How long loading and closing may take.
    let limits: TimeLimits

    /// The decorators of the instances, in declared order.
    let decorations: [Decoration<Service>]

    /// What becomes of a choice if the instance cannot be made.
    let failurePolicy: FailurePolicy

    init(
      _ earlier: Extras? = nil, loader: Loader? = nil, isEager: Bool? = nil, limits: TimeLimits? = nil,
      decorations: [Decoration<Service>]? = nil, failurePolicy: FailurePolicy? = nil
    ) {
      self.loader = loader ?? earlier?.loader
      self.isEager = isEager ?? earlier?.isEager ?? false
      self.limits = limits ?? earlier?.limits ?? TimeLimits()
      self.decorations = decorations ?? earlier?.decorations ?? []
      self.failurePolicy = failurePolicy ?? earlier?.failurePolicy ?? .throw
    }
  }

  /// The factory of a service that is registered elsewhere. It never runs: a request that reaches it throws.
  static var absent: Self { Self(Core(.unused, knowledge: .absent)) }

  @usableFromInline var needsSetup: Bool { core.setup != nil }

  /// Returns a factory with this setup and closing that returns an existing instance.
  @usableFromInline
  func giving(_ service: Service) -> Self {
    with(make: .alone { service }, knowledge: Knowledge.none)
  }

  /// Returns the factory with one more configuration. Its isolation is joined with that of the closure.
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

  /// Returns the factory with one more closing.
  func closing(_ action: @escaping CloseActions<Service>.Action) -> Self {
    with(closing: CloseActions(actions: (core.closing?.actions ?? []) + [action]))
  }

  /// Returns the factory with further decorators, outside of those it has.
  func decorated(by decorations: [Decoration<Service>]) -> Self {
    let isolation = decorations.reduce(core.isolation) { $0.joined(with: $1.isolation) }
    let all = (core.extras?.decorations ?? []) + decorations
    return with(isolation: isolation, extras: Extras(core.extras, decorations: all))
  }

  /// The factory of an instance that ``Injector/start(timeout:clock:)`` makes.
  var eager: Self { with(extras: Extras(core.extras, isEager: true)) }

  /// Returns the factory with time limits. Those that are `nil` stay as they were.
  func limited(_ limits: TimeLimits) -> Self {
    let earlier = core.extras?.limits
    return with(
      extras: Extras(
        core.extras,
        limits: TimeLimits(
          loading: limits.loading ?? earlier?.loading, closing: limits.closing ?? earlier?.closing)))
  }

  /// Returns the factory with what becomes of a choice if the instance cannot be made.
  func failing(_ policy: FailurePolicy) -> Self { with(extras: Extras(core.extras, failurePolicy: policy)) }

  /// Returns the factory with declared dependencies in addition to those declared before.
  func declaring(_ dependencies: [ServiceKey]) -> Self {
    if case .declared(let earlier) = core.knowledge { return with(knowledge: .declared(earlier + dependencies)) }
    return with(knowledge: .declared(dependencies))
  }

  /// Returns the factory with some of its parts replaced.
  private func with(
    make: Maker? = nil, isolation: FactoryIsolation? = nil, knowledge: Knowledge? = nil, setup: Setup? = nil,
    closing: CloseActions<Service>? = nil, extras: Extras? = nil
  ) -> Self {
    Self(
      Core(
        make ?? core.make, isolation: isolation ?? core.isolation, knowledge: knowledge ?? core.knowledge,
        setup: setup ?? core.setup, closing: closing ?? core.closing, extras: extras ?? core.extras))
  }
}
