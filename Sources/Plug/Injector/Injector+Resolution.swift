extension Injector {
  /// Gets a service: the shared instance or a new one, as its ``Injection`` says.
  ///
  /// ```swift
  /// let network = try services.get(Networking.self)
  /// let database: any Database = try services.get(tag: "replica")
  /// ```
  ///
  /// If the service has candidates with rules, their context is resolved from the injector by its type.
  ///
  /// An optional type returns `nil` where the service is not registered or no candidate applies, unless something is
  /// registered for the optional type itself: `let cache: (any Cache)? = try services.get()`. This holds wherever
  /// services are requested by type: in `wiring:`, with a context or arguments, in a load, and in an ``Injected``
  /// property.
  ///
  /// Any number of threads may call it. A thread that requests a lazy singleton while another one makes it waits, and
  /// gets the same instance. In a scope, an inherited `scoped` service is made once for the scope.
  ///
  /// - Parameters:
  ///   - type: The service. It can be omitted where it is inferred from the result.
  ///   - tag: The tag the service is registered with.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The instance.
  /// - Throws: ``InjectorError/notRegistered(_:)``, or ``InjectorError/argumentsMismatch(_:expected:found:)`` if the
  ///   service is registered with arguments only; ``InjectorError/noCandidate(_:_:)`` if no candidate applies;
  ///   ``InjectorError/contextMissing(_:context:)`` if the candidates' context is not registered;
  ///   ``InjectorError/scopeRequired(_:)`` outside of a scope; ``InjectorError/mainActorRequired(_:)`` and
  ///   ``InjectorError/notLoaded(_:)`` if the instance cannot be made by this call; ``InjectorError/closed(_:)``; or
  ///   the error that prevented an instance of this service or of a dependency from being made, such as
  ///   ``InjectorError/constructionFailed(_:underlying:)``, ``InjectorError/circularDependency(_:path:)`` or
  ///   ``InjectorError/captiveDependency(_:path:)``.
  /// - Complexity: O(1) for an existing instance, without an allocation, and without a lock if the injector is sealed.
  @_disfavoredOverload  // A key is a Sendable type too.
  @inlinable
  public func get<Service: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) throws(InjectorError) -> Service {
    if tag == nil, let slot = shortWay.slot(of: type), let instance = slot.instance {
      return instance.open(as: type)
    }
    return try getOnLongWay(type, tag, fileID, line)
  }

  /// Gets a service, or `nil` if it is not registered or no candidate applies.
  ///
  /// ```swift
  /// services[(any Analytics).self]?.track("launch")
  /// ```
  ///
  /// Use it for services that an app can do without. It traps with a diagnostic if the service is registered but cannot
  /// be made; ``get(_:tag:fileID:line:)`` throws that error instead.
  ///
  /// - Parameters:
  ///   - type: The service.
  ///   - tag: The tag the service is registered with.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  @inlinable
  public subscript<Service: Sendable>(
    type: Service.Type, tag tag: Tag? = nil, fileID fileID: StaticString = #fileID, line line: UInt = #line
  ) -> Service? {
    do throws(InjectorError) {
      if tag == nil, let slot = shortWay.slot(of: type), let instance = slot.instance {
        return instance.open(as: type)
      }
      return try boxIfRegistered(for: Key(type, tag), fileID, line)?.open(as: type)
    } catch {
      trapGetting(type, isOptional: true, error, fileID, line)
    }
  }

  /// Gets a service inferred from the result, or traps with a diagnostic.
  ///
  /// ```swift
  /// let network: any Networking = services.resolve()
  /// ```
  ///
  /// Use it where a missing service is a programming error. ``get(_:tag:fileID:line:)`` throws instead. An optional
  /// result is `nil` where the service is not registered or no candidate applies:
  /// `let analytics: (any Analytics)? = services.resolve()`.
  ///
  /// - Parameters:
  ///   - type: The service. It can be omitted where it is inferred from the result.
  ///   - tag: The tag the service is registered with.
  ///   - fileID: The file of the call, which the trap reports.
  ///   - line: The line of the call, which the trap reports.
  /// - Returns: The instance.
  @inlinable
  public func resolve<Service: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Service {
    do throws(InjectorError) {
      return try get(type, tag: tag, fileID: fileID, line: line)
    } catch {
      trapGetting(type, isOptional: false, error, fileID, line)
    }
  }

  /// Gets every implementation of a service that applies, in order.
  ///
  /// The candidates' context is resolved from the injector by its type. A registration without a rule comes last. An
  /// array, `get([any Job].self)`, has these elements, too. But where no element is registered and the element is not a
  /// protocol, a request for the array throws, because an array of numbers is rarely a collection of services.
  ///
  /// - Parameters:
  ///   - type: The service. It can be omitted where it is inferred from the result.
  ///   - tag: The tag the service is registered with.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The instances, the winner first; an empty array if the service is not registered or no candidate
  ///   applies.
  /// - Throws: ``InjectorError/contextMissing(_:context:)`` if the candidates' context is not registered, or the error
  ///   that prevented an instance from being made.
  public func getAll<Service: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) throws(InjectorError) -> [Service] {
    try boxes(for: Key(type, tag), fileID, line)?.map { $0.box.open() } ?? []
  }

  @usableFromInline
  func trapGetting(
    _ type: any Any.Type, isOptional: Bool, _ error: InjectorError, _ fileID: StaticString, _ line: UInt
  ) -> Never {
    let call = isOptional ? "\(self)[\(typeName(type)).self]" : "resolve() as \(typeName(type))"
    trap("\(call) failed.", error, fileID, line)
  }

  /// Answers a request from users' code. In a test, the test's copy of this injector answers.
  func answering<Result>(
    _ request: Request, _ fileID: StaticString, _ line: UInt, _ answer: (Injector) throws -> Result
  ) throws(InjectorError) -> Result {
    do {
      let injector = active(fileID, line)
      return try Layers.answering(request, by: injector) { try answer(injector) }
    } catch {
      throw error.asked(at: fileID, line)
    }
  }
}

extension Injector {
  /// The error for a service or a candidate that is not registered, with the nearest registered name.
  ///
  /// - Parameter others: The other candidates, if the service is registered.
  func absence(
    of key: Key, candidate: String? = nil, among others: [InjectorError.Suggestion]? = nil,
    _ trait: InjectorError.Facts.Trait? = nil
  ) -> InjectorError {
    if trait == nil, let capture = captureOfHidden(key) { return capture }
    var facts = InjectorError.Facts(about: key, candidate: candidate, in: self)
    if let trait { facts[trait] = true }
    if case .wired? = ThreadStack.current.with({ $0.path.last?.registration.needs }) { facts[.isWired] = true }
    if let mismatch = mismatch(of: key, facts, hasCandidate: candidate != nil) { return mismatch }
    facts.values.nearestName =
      others.map { NearestName(to: candidate ?? "", among: $0) }
      ?? NearestName(to: serviceName(facts.service, tag: facts.tag), unless: candidate == nil ? key : nil, in: self)
    return .notRegistered(facts)
  }

  /// The error for a service that is registered with other arguments than it was requested with.
  private func mismatch(of key: Key, _ absence: InjectorError.Facts, hasCandidate: Bool) -> InjectorError? {
    let (service, wanted) = (key.served, key.arguments)
    if absence[.isRemoval], wanted != nil || hasCandidate { return nil }
    let plain = wanted == nil ? nil : visibleCell(of: service)?.registration
    let others = [plain].compactMap(\.self) + registrationsWithArguments(of: service).filter { $0.key != key }
    guard let first = others.first else { return nil }
    var facts = InjectorError.Facts(about: service, in: self)
    (facts.values.registeredAt, facts.values.traits) = (first.location, absence.values.traits)
    facts.values.arguments = wanted
    return .argumentsMismatch(
      facts, expected: others.map { $0.key.arguments?.argumentNames ?? [] }, found: wanted?.argumentNames ?? [])
  }
}

extension Injector {
  /// Whether a service that is made from arguments may be registered in this injector itself.
  private var takesArguments: Bool {
    let (own, original) = state.withLock { ($0.takesArguments, $0.origin?.injector) }
    return own || original?.takesArguments ?? false
  }

  /// The registrations of a service that is made from arguments, here and in the parents.
  ///
  /// - Complexity: O(1) where no such service is registered.
  func registrationsWithArguments(of service: Key) -> [Registration] {
    levels.filter(\.takesArguments).flatMap(\.registrations).filter { $0.maker != nil && $0.key.served == service }
  }
}
