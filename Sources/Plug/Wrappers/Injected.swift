/// A property whose value comes from an ``Injector``, at the first read, and is kept from then on.
///
/// ```swift
/// struct ViewModel {
///   @Injected var clock: any Clock                         // from Injector.default
///   @Injected(.services) var network: any Networking       // from Injector[.services]
///   @Injected(injector: mine, tag: "replica") var database: any Database
///   @Injected(.services) var analytics: (any Analytics)?   // nil while it is not registered
///   @Injected(\.api, in: .services) var api                // of a Provider: it compiles only if there is one
/// }
/// ```
///
/// If the service cannot be given, the program ends with the whole diagnosis, since a property cannot throw.
/// ``get()`` of the projected value can: `try $network.get()`. Copies share the value, and however many threads read it
/// first, one instance is made. A property of an optional type is `nil`, and looks again at the next read, while its
/// service is absent. In an `@Observable` class, write `@ObservationIgnored` before it.
@propertyWrapper
public struct Injected<Value: Sendable>: Sendable {
  @usableFromInline let slot: InjectedStorage<Value>

  /// Takes the service from the environment of a name.
  @_disfavoredOverload
  @inlinable
  public init(
    _ name: Injector.Name = .default, tag: Injector.Tag? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    slot = InjectedStorage(required: InjectedSource(.environment(name.environment), tag, fileID, line))
  }

  /// Takes the service from an injector.
  @_disfavoredOverload
  @inlinable
  public init(
    injector: Injector, tag: Injector.Tag? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    slot = InjectedStorage(required: InjectedSource(.injector(injector), tag, fileID, line))
  }

  /// Takes the service from the environment of a name; `nil` if it is absent.
  @inlinable
  public init<Service: Sendable>(
    _ name: Injector.Name = .default, tag: Injector.Tag? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) where Value == Service? {
    slot = InjectedStorage(optional: InjectedSource(.environment(name.environment), tag, fileID, line))
  }

  /// Takes the service from an injector; `nil` if it is absent.
  @inlinable
  public init<Service: Sendable>(
    injector: Injector, tag: Injector.Tag? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) where Value == Service? {
    slot = InjectedStorage(optional: InjectedSource(.injector(injector), tag, fileID, line))
  }

  /// Takes the service from a provider of the environment of a name.
  public init(
    _ provider: any KeyPath<Injector, Provider<Value>> & Sendable, in name: Injector.Name = .default,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    slot = InjectedStorage(InjectedSource(.environment(name.environment), nil, fileID, line), provider)
  }

  /// Takes the service from a provider of an injector.
  public init(
    _ provider: any KeyPath<Injector, Provider<Value>> & Sendable, injector: Injector,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    slot = InjectedStorage(InjectedSource(.injector(injector), nil, fileID, line), provider)
  }

  /// Takes the service from a main-actor provider of the environment of a name.
  ///
  /// It is made on the main actor: the first read elsewhere ends the program with the diagnosis, the later ones do not.
  @MainActor
  public init(
    _ provider: KeyPath<Injector, MainActorProvider<Value>>, in name: Injector.Name = .default,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    slot = InjectedStorage(InjectedSource(.environment(name.environment), nil, fileID, line), onMainActor: provider)
  }

  /// Takes the service from a main-actor provider of an injector, in the same way.
  @MainActor
  public init(
    _ provider: KeyPath<Injector, MainActorProvider<Value>>, injector: Injector,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    slot = InjectedStorage(InjectedSource(.injector(injector), nil, fileID, line), onMainActor: provider)
  }

  /// The service.
  @inlinable public var wrappedValue: Value {
    slot.value
  }

  /// The wrapper itself, for ``get()``.
  public var projectedValue: Self { self }

  /// Gives the service as the property does, but throws where the property would end the program.
  ///
  /// - Throws: What ``Injector/get(_:tag:fileID:line:)`` throws.
  public func get() throws(InjectorError) -> Value {
    try slot.get()
  }
}
