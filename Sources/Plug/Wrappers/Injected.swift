/// A property wrapper that gets its value from an ``Injector`` on the first read, and keeps it.
///
/// ```swift
/// struct ViewModel {
///   @Injected var clock: any Clock                    // from Injector.default
///   @Injected(.services) var network: any Networking  // from an environment
///   @Injected(.current) var user: User                // from the scope the task runs in
///   @Injected(injector: mine, tag: "replica") var database: any Database
///   @Injected(.services) var analytics: (any Analytics)?  // nil if absent
///   @Injected(\.api, in: .services) var api           // from a Provider
/// }
/// ```
///
/// A property cannot throw: reading it traps with a diagnostic if the service cannot be provided. The projected value's
/// ``get()`` throws instead: `try $network.get()`. A property of an optional type is `nil` while its service is absent,
/// and looks for it again on the next read.
///
/// Copies of the wrapper share the value. If several threads read it for the first time at once, one instance is made,
/// and all of them get it. The value is kept until the wrapper is released, even after ``Injector/reset()``. A property
/// of ``Injector/Name/current`` does not keep its value: each read gets it from the task's current injector.
///
/// In an `@Observable` class, mark the property with `@ObservationIgnored`.
@propertyWrapper
public struct Injected<Value: Sendable>: Sendable {
  @usableFromInline let slot: InjectedSlot

  /// Gets the service from the environment with a name.
  ///
  /// ```swift
  /// @Injected(.services) var network: any Networking
  /// ```
  ///
  /// A property of an optional type is `nil` while the service is absent, and looks for it on each read until then.
  ///
  /// - Parameters:
  ///   - name: The name of the environment. It is looked up on the first read.
  ///   - tag: The tag the service is registered with.
  ///   - fileID: The file of the property, which a trap reports.
  ///   - line: The line of the property, which a trap reports.
  @inlinable
  public init(
    _ name: Injector.Name = .default, tag: Injector.Tag? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    slot = InjectedSlot(named: name, Key(Value.self, tag), fileID, line)
  }

  /// Gets the service from an injector.
  ///
  /// - Parameters:
  ///   - injector: The injector, which the wrapper keeps alive.
  ///   - tag: The tag the service is registered with.
  ///   - fileID: The file of the property, which a trap reports.
  ///   - line: The line of the property, which a trap reports.
  @inlinable
  public init(
    injector: Injector, tag: Injector.Tag? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    slot = InjectedSlot(in: injector, Key(Value.self, tag), fileID, line)
  }

  /// Gets the service from a provider of the environment with a name.
  ///
  /// ```swift
  /// @Injected(\.api) var api
  /// ```
  ///
  /// - Parameters:
  ///   - provider: The key path of the provider, which the compiler checks.
  ///   - name: The name of the environment.
  ///   - fileID: The file of the property, which a trap reports.
  ///   - line: The line of the property, which a trap reports.
  public init(
    _ provider: any KeyPath<Injector, Provider<Value>> & Sendable, in name: Injector.Name = .default,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    slot = InjectedSlot(.environment(name.environment), Key(Value.self), fileID, line, Self.following(provider))
  }

  /// Gets the service from a provider of an injector.
  ///
  /// - Parameters:
  ///   - provider: The key path of the provider.
  ///   - injector: The injector.
  ///   - fileID: The file of the property, which a trap reports.
  ///   - line: The line of the property, which a trap reports.
  public init(
    _ provider: any KeyPath<Injector, Provider<Value>> & Sendable, injector: Injector,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    slot = InjectedSlot(.injector(injector), Key(Value.self), fileID, line, Self.following(provider))
  }

  /// Gets the service from a main-actor provider of the environment with a name.
  ///
  /// The service is made on the main actor. A first read elsewhere traps with a diagnostic; later reads can happen
  /// anywhere.
  ///
  /// - Parameters:
  ///   - provider: The key path of the provider.
  ///   - name: The name of the environment.
  ///   - fileID: The file of the property, which a trap reports.
  ///   - line: The line of the property, which a trap reports.
  @MainActor
  public init(
    _ provider: KeyPath<Injector, MainActorProvider<Value>>, in name: Injector.Name = .default,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    slot = InjectedSlot(.environment(name.environment), Key(Value.self), fileID, line, Self.followingOnMain(provider))
  }

  /// The service. The first read gets it from the injector.
  @inlinable public var wrappedValue: Value {
    if let kept = slot.kept { return kept.open(as: Value.self) }
    return getOrTrap()
  }

  @usableFromInline
  func getOrTrap() -> Value {
    do throws(InjectorError) {
      return try slot.get().open()
    } catch {
      slot.trap(Value.self, error)
    }
  }

  /// The wrapper itself, which provides ``get()``.
  public var projectedValue: Self { self }

  /// Gets the service like a read of the property, but throws where the property would trap.
  ///
  /// ```swift
  /// let network = try $network.get()
  /// ```
  ///
  /// - Returns: The value of the property, which the wrapper keeps.
  /// - Throws: The errors of ``Injector/get(_:tag:fileID:line:)``.
  public func get() throws(InjectorError) -> Value {
    try slot.get().open()
  }

  private static func following(
    _ provider: any KeyPath<Injector, Provider<Value>> & Sendable
  ) -> InjectedSlot.Resolve {
    { injector, _ throws(InjectorError) in (try injector[keyPath: provider].box(), isKept: true) }
  }

  @MainActor
  private static func followingOnMain(
    _ provider: KeyPath<Injector, MainActorProvider<Value>>
  ) -> InjectedSlot.Resolve {
    let follow: @MainActor @Sendable (Injector) -> MainActorProvider<Value> = { $0[keyPath: provider] }
    return { injector, key throws(InjectorError) in
      if isOnMainActor() {
        return (try MainActor.assumeIsolated { follow(injector) }.provider.box(), isKept: true)
      }
      var facts = InjectorError.Facts(about: key, in: injector)
      facts.values.expression = "injected.get()"
      facts[.isMadeOnce] = true
      throw .mainActorRequired(facts)
    }
  }
}

// Unavailable overloads, with which the compiler explains a likely mistake and its fix. `Tests/Refused` shows each one.

extension Injected where Value == Unstated {
  /// Refuses a property without a type.
  @available(*, unavailable, message: "an injected property needs a type: @Injected(.services) var search: any Search")
  public init(_ name: Injector.Name = .default, tag: Injector.Tag? = nil) { fatalError() }
}

/// The type that the compiler infers if the code states none.
@_documentation(visibility: internal)
public struct Unstated: FeatureContext {
  /// No features.
  public var enabledFeatures: Set<String> { [] }
}
