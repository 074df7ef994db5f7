extension Injector {
  /// Gets a service from what is registered here, or in what this is a scope of.
  ///
  /// Soundness of the cast: see `Registrations.find`; what is put aside has the key of its service.
  @inlinable
  func getStepByStep<Service: Sendable>(
    _ service: Service.Type, _ tag: Tag?, _ fileID: StaticString = "", _ line: UInt = 0
  ) throws(InjectorError) -> Service {
    if let overridden = overridden(ObjectIdentifier(service), tag),
      let given = unsafe unsafeDowncast(overridden, to: Entry<Service>.self).instance.pointer(to: service)
    {
      return unsafe given.pointee
    }
    return try watching(service, tag, fileID, line) { injector throws(InjectorError) in
      try injector.getOrCollect(service, tag)
    }
  }

  /// What an isolated test has put aside for a copy that has not been made, if nobody records what is asked for.
  @usableFromInline
  func overridden(_ type: ObjectIdentifier, _ tag: Tag?) -> AnyEntry? {
    guard registrations.attention.isDemanded, ThreadContext.current.isIdle else { return nil }
    return Sandbox.current?.override(type, tag, of: self)
  }

  /// Finds what is registered for a service here, or in what this is a scope of.
  ///
  /// - Throws: ``InjectorError/scopeClosed(_:)``, ``InjectorError/captiveDependency(_:path:)``.
  @inlinable
  func lookUp<Service: Sendable>(
    _ service: Service.Type, _ tag: Tag?, isOptional: Bool = false, givesContext: Bool = false
  ) throws(InjectorError) -> Entry<Service>? {
    if registrations.attention.isDemanded { note(service, tag, isOptional, givesContext) }
    var registrations = registrations
    var isOverlaid = false
    while true {
      if registrations.isClosed { throw closed(service, tag) }
      if let entry = registrations.entry(service, tag) {
        if registrations.depth > 0 { try refuseCapture(of: entry, keptAt: registrations.depth) }
        return isOverlaid ? overlaid(entry, registeredAt: registrations.depth) : entry
      }
      guard let parent = registrations.parent else { return nil }
      if registrations.hasDecorations { isOverlaid = true }
      registrations = parent
    }
  }

  /// Finds what is stored under a key here, or in what this is a scope of, in the same way.
  func lookUp<Key: TypedKey>(_ key: Key.Type, _ tag: Tag?) throws(InjectorError) -> Key.Stored? {
    if registrations.attention.isDemanded { note(key, tag, false, false) }
    for level in sequence(first: registrations, next: \.parent) {
      if level.isClosed { throw closed(key, tag) }
      guard let entry = level.entry(key, tag) else { continue }
      if level.depth > 0 { try refuseCapture(of: entry, keptAt: level.depth) }
      return entry
    }
    return nil
  }

  /// Soundness of the cast: what a scope has in place of an entry is an entry of the same service.
  @usableFromInline
  func overlaid<Service>(_ entry: Entry<Service>, registeredAt depth: Int32) -> Entry<Service> {
    unsafe unsafeDowncast(overlaid(entry as AnyEntry, registeredAt: depth), to: Entry<Service>.self)
  }

  @usableFromInline
  func note(_ service: any Any.Type, _ tag: Tag?, _ isOptional: Bool, _ givesContext: Bool) {
    ThreadContext.current.note(ServiceKey(service, tag), isOptional: isOptional, givesContext: givesContext)
  }

  /// Throws if what lives longer is being made, and would keep this.
  ///
  /// - Parameter depth: How deep the injector lies that keeps the instance.
  @usableFromInline
  func refuseCapture(of entry: AnyEntry, keptAt depth: Int32) throws(InjectorError) {
    guard let trail = ThreadContext.current.trail(fromKeeperAbove: depth, since: birth) else { return }
    guard entry.parts.contains(where: { $0.lifetime?.isKept == true }) else { return }
    let path = (trail + [entry]).map { step in
      "\(step.subject.name)\(step.lifetime.map { " (\($0))" } ?? "")"
    }
    throw .captiveDependency(InjectorError.Facts(about: entry.subject, in: self), path: path)
  }

  @usableFromInline
  func closed(_ service: any Any.Type, _ tag: Tag?) -> InjectorError {
    .scopeClosed(InjectorError.Facts(service: service, tag: tag, in: self))
  }
}
