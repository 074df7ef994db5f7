public import Synchronization

extension Injector {
  /// Gets a service. What is inlined where it is called is the look-up of an instance that exists in a sealed injector.
  @inlinable
  @inline(__always)
  func getQuickly<Service: Sendable>(
    _ service: Service.Type, _ tag: Tag?, _ fileID: StaticString, _ line: UInt
  ) throws(InjectorError) -> Service {
    if tag == nil, let place = unsafe registrations.sealedPlace(of: service) {
      if let instance = unsafe place.pointee.instance.load(ordering: .acquiring) {
        return unsafe instance.assumingMemoryBound(to: service).pointee
      }
      return try unsafe getStepwise(service, at: place, fileID, line)
    }
    return try getStepwise(service, tag, fileID, line)
  }

  @inlinable
  @inline(never)
  func getStepwise<Service: Sendable>(
    _ service: Service.Type, at place: SealedSlots.Place, _ fileID: StaticString, _ line: UInt
  ) throws(InjectorError) -> Service {
    do throws(InjectorError) {
      return try unsafe registrations.get(service, at: place, for: self)
    } catch {
      throw error.asked(at: fileID, line)
    }
  }

  @inlinable
  @inline(never)
  func getStepwise<Service: Sendable>(
    _ service: Service.Type, _ tag: Tag?, _ fileID: StaticString, _ line: UInt
  ) throws(InjectorError) -> Service {
    do throws(InjectorError) {
      if registrations.instrumentation.isActive { return try getOnSlowPath(service, tag, fileID, line) }
      return try registrations.get(service, tag, for: self)
    } catch {
      throw error.asked(at: fileID, line)
    }
  }

  /// Gets a parameter of an initializer or a function. Where parameters are a pack nothing is specialized, so this is
  /// one function that is not, in place of several.
  @usableFromInline
  func getWired<Service: Sendable>(_ service: Service.Type) throws(InjectorError) -> Service {
    if !isScope || registrations.instrumentation.isActive { return try getStepwise(service, nil, "", 0) }
    return try getInScope(service, nil)
  }

  /// The instance of a service that exists; nothing if the way may not be cut short.
  ///
  /// Soundness of the casts: as below.
  @inlinable
  func existing<Service: Sendable>(_ service: Service.Type, _ tag: Tag?) -> Service? {
    guard unsafe registrations.outer != nil else { return registrations.instance(service, tag) }
    guard !registrations.instrumentation.isActive,
      let found = unsafe registrations.findInScope(ObjectIdentifier(service), tag)
    else { return nil }
    defer { unsafe found.end() }
    let entry = unsafe Unmanaged<Entry<Service>>.fromOpaque(found.entry.toOpaque())
    guard unsafe entry._withUnsafeGuaranteedRef({ $0.isTemplate }) else {
      return unsafe entry._withUnsafeGuaranteedRef { unsafe $0.instance.pointer(to: service)?.pointee }
    }
    let thread = unsafe ThreadLocalContext.context
    if unsafe entry._withUnsafeGuaranteedRef({ $0.isInPlace }) {
      var instance: Service?
      let found = unsafe findOwn(found.entry, on: thread, begins: false) { place in
        instance = unsafe place.assumingMemoryBound(to: Service.self).pointee
      }
      switch unsafe found {
      case .copied, .absent, .begun: return instance
      case .cell(let own): unsafe own.release()
      case .stepwise: break
      }
    }
    guard let own = unsafe quickOwnCell(for: found.entry, on: thread) else { return nil }
    defer { unsafe own.release() }
    let cell = unsafe Unmanaged<Entry<Service>>.fromOpaque(own.toOpaque())
    return unsafe cell._withUnsafeGuaranteedRef { unsafe $0.instance.pointer(to: service)?.pointee }
  }

  /// Gets a service in a scope, if that needs no more than to find it. Instrumentation must be inactive.
  ///
  /// Soundness of the casts: see `Registrations.find`; what a scope has in place of an entry is of the same class.
  @inlinable
  @inline(__always)
  func getInScope<Service: Sendable>(_ service: Service.Type, _ tag: Tag?) throws(InjectorError) -> Service {
    guard let found = unsafe registrations.findInScope(ObjectIdentifier(service), tag) else {
      return try getOnSlowPath(service, tag)
    }
    defer { unsafe found.end() }
    let entry = unsafe Unmanaged<Entry<Service>>.fromOpaque(found.entry.toOpaque())
    if unsafe entry._withUnsafeGuaranteedRef({ $0.isInPlace }) {
      return try unsafe Resolution.makeInPlace(entry, for: self, on: ThreadLocalContext.context)
    }
    if let built = unsafe entry._withUnsafeGuaranteedRef({ unsafe $0.instance.pointer(to: service) }) {
      return unsafe built.pointee
    }
    return try unsafe Resolution.make(entry, for: self)
  }

  /// Gets a service from what is registered here, or in what this is a scope of.
  ///
  /// Soundness of the cast: see `Registrations.find`; what is put aside has the key of its service.
  @inlinable
  @inline(never)
  func getOnSlowPath<Service: Sendable>(
    _ service: Service.Type, _ tag: Tag?, _ fileID: StaticString = "", _ line: UInt = 0
  ) throws(InjectorError) -> Service {
    if let overridden = overridden(ObjectIdentifier(service), tag),
      let given = unsafe unsafeDowncast(overridden, to: Entry<Service>.self).instance.pointer(to: service)
    {
      return unsafe given.pointee
    }
    return try withActiveInjector(ServiceKey(service, tag), fileID, line) { injector throws(InjectorError) in
      try injector.getOrDerive(service, tag)
    }
  }

  /// Gets a service; `nil` if it is not registered.
  func getIfRegistered<Service: Sendable>(_ service: Service.Type) throws(InjectorError) -> Service? {
    if let instance = registrations.instance(service, nil) { return instance }
    return try withActiveInjector(ServiceKey(service, nil), "", 0) { injector throws(InjectorError) in
      if let entry = try injector.lookUp(service, nil) { return try entry.instance(for: injector) }
      return try injector.deriveIfRegistered(service, nil)
    }
  }

  /// Finds what is registered for a service here, or in what this is a scope of.
  ///
  /// - Throws: ``InjectorError/closed(_:)``, ``InjectorError/captiveDependency(_:path:)``.
  @inlinable
  func lookUp<Service: Sendable>(
    _ service: Service.Type, _ tag: Tag?, isOptional: Bool = false, givesContext: Bool = false
  ) throws(InjectorError) -> Entry<Service>? {
    let entry = try search(service, tag)
    if registrations.instrumentation.isActive { note(ServiceKey(service, tag), isOptional, givesContext) }
    return entry
  }

  /// Finds what is stored under a key here, or in what this is a scope of, in the same way.
  @inlinable
  func lookUp<Key: TypedKey>(_ key: Key.Type, _ tag: Tag?) throws(InjectorError) -> Key.Stored? {
    let entry = try search(key, tag)
    if registrations.instrumentation.isActive { note(ServiceKey(key, tag), false, false) }
    return entry
  }

  /// Finds the same, and nobody notes that it has been asked for.
  @inlinable
  @inline(__always)
  func search<Service: Sendable>(_ service: Service.Type, _ tag: Tag?) throws(InjectorError) -> Entry<Service>? {
    try search(service, tag, as: Entry<Service>.self)
  }

  @inlinable
  @inline(__always)
  func search<Key: TypedKey>(_ key: Key.Type, _ tag: Tag?) throws(InjectorError) -> Key.Stored? {
    try search(key, tag, as: Key.Stored.self)
  }

  /// Soundness of the casts: see `Registrations.find` and `TypedKey`; what a scope has in place of an entry is of the
  /// same class.
  @inlinable
  @inline(__always)
  func search<Stored: AnyEntry>(
    _ key: any Any.Type, _ tag: Tag?, as stored: Stored.Type
  ) throws(InjectorError) -> Stored? {
    if unsafe registrations.outer != nil, !registrations.instrumentation.isActive,
      let found = unsafe registrations.findInScope(ObjectIdentifier(key), tag)
    {
      return unsafe unsafeDowncast(found.taken, to: stored)
    }
    var registrations = registrations
    var isOverlaid = false
    while true {
      let entry = registrations.entry(ObjectIdentifier(key), tag)
      // Asked afterwards, because what is closed has given its registrations up.
      if registrations.isClosed { throw closed(ServiceKey(key, tag)) }
      if let entry {
        if registrations.depth > 0 { try refuseCapture(of: entry, keptAt: registrations.depth) }
        let found = isOverlaid ? overlaid(entry, registeredAt: registrations.depth) : entry
        return unsafe unsafeDowncast(found, to: stored)
      }
      guard let parent = registrations.parent else { return nil }
      if registrations.hasDecorations { isOverlaid = true }
      registrations = parent
    }
  }

  /// Soundness of the cast: what a scope has in place of an entry is an entry of the same service.
  func overlaid<Service>(_ entry: Entry<Service>, registeredAt depth: Int32) -> Entry<Service> {
    unsafe unsafeDowncast(overlaid(entry as AnyEntry, registeredAt: depth), to: Entry<Service>.self)
  }

  @usableFromInline
  func note(_ key: ServiceKey, _ isOptional: Bool, _ givesContext: Bool) {
    ThreadContext.current.record?.note(
      key, isOptional: isOptional, givesContext: givesContext, of: self)
  }

  /// Notes that a request was answered, if someone wants to know.
  func noteAnswer(to key: ServiceKey) {
    guard registrations.instrumentation.isActive else { return }
    ThreadContext.current.record?.noteAnswer(to: key, of: self)
  }

  /// How deep the injector lies in which something is registered for a service, or for the one that it is derived from.
  func depth(of key: ServiceKey) -> Int32? {
    let keys = [key] + (key.derivation?.keys ?? [])
    // A lazy collection would look twice, and might not find it the second time.
    for key in keys {
      for level in registrations.levels where level.entry(key.type, key.tag) != nil {
        return level.depth
      }
    }
    return nil
  }

  /// Throws if what lives longer is being made, and would keep this.
  ///
  /// - Parameter depth: How deep the injector lies that keeps the instance.
  @usableFromInline
  func refuseCapture(of entry: AnyEntry, keptAt depth: Int32) throws(InjectorError) {
    let context = ThreadContext.current
    if context.isWithin(depth) { return }
    guard let trail = context.trail(fromKeeperAbove: depth, since: self) else { return }
    guard entry.parts.contains(where: { $0.lifetime?.isKept == true }) else { return }
    let path = (trail + [entry]).map { step in
      "\(step.declaration.name)\(step.lifetime.map { " (\($0))" } ?? "")"
    }
    throw .captiveDependency(InjectorError.Facts(about: entry.declaration, in: self), path: path)
  }

  @usableFromInline
  func closed(_ key: ServiceKey) -> InjectorError {
    closed(InjectorError.Facts(about: key, in: self))
  }

  func closed(_ facts: InjectorError.Facts) -> InjectorError {
    if registrations.isTooDeep { return .depthExceeded(facts.exceeding(.scopes), depth: Int(depth)) }
    var facts = facts
    if let closed = levels.first(where: \.registrations.isClosed), closed !== self {
      facts.closedAround = InjectorError.Facts.Path(closed).text ?? "(unnamed)"
    }
    return .closed(facts)
  }
}
