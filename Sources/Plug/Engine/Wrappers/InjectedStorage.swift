/// Where an `Injected` property keeps its value.
@usableFromInline
final class InjectedStorage<Value: Sendable>: Sendable {
  @usableFromInline let kept = Published()
  @usableFromInline let claim = InjectedClaim()
  @usableFromInline let source: InjectedSource
  @usableFromInline let resolve: Resolve

  /// What it was made in, if that is a preview.
  @usableFromInline let home: PreviewHome?

  /// Soundness: it lives as long as the program.
  @usableFromInline unowned(unsafe) let instrumentation: Instrumentation

  @usableFromInline
  typealias Resolve = @Sendable (borrowing InjectedSource, _ isClaimed: Bool) throws(InjectorError) -> Answer

  /// What an injector answers.
  @usableFromInline
  enum Answer {
    /// Nothing exists that would be the same for everyone who asks, so that the slot has to be claimed first.
    case unclaimed
    /// A value to keep.
    case found(Value)
    /// A value that holds for this read only: another reader may get another, or the same one later.
    case unkept(Value)
  }

  @inlinable
  init(_ source: InjectedSource, resolve: @escaping Resolve) {
    self.source = source
    self.resolve = resolve
    unsafe instrumentation = .shared
    home = unsafe instrumentation.isActive ? PreviewHome() : nil
  }

  deinit {
    if unsafe instrumentation.isActive { IsolatedObjects.forget(ObjectIdentifier(self)) }
    kept.destroy(Value.self)
  }

  /// The value, for a property, which cannot throw.
  @inlinable var value: Value {
    guard unsafe !instrumentation.isActive, let kept = unsafe kept.pointer(to: Value.self) else { return getOrTrap() }
    return unsafe kept.pointee
  }

  @inlinable
  func get() throws(InjectorError) -> Value {
    if unsafe instrumentation.isActive || home != nil { return try getIsolated() }
    return try getAndKeep()
  }

  @usableFromInline
  func getIsolated() throws(InjectorError) -> Value {
    guard let home, !home.hasInner else { return try isolated().getAndKeep() }
    if let kept = unsafe kept.pointer(to: Value.self) { return unsafe kept.pointee }
    guard let sandbox = home.sandbox else { throw try home.over(for: Value.self, source) }
    return try sandbox.answer { () throws(InjectorError) in try getAndKeep() }
  }

  /// The slot of the sandbox that the calling task is in.
  private func isolated() -> InjectedStorage {
    if let sandbox = Sandbox.current {
      return sandbox.isolatedObject(for: self) { InjectedStorage(source, resolve: resolve) }
    }
    _ = (try? source.injector(for: Value.self))?.isolatedOrEscaped(source.fileID, source.line)
    return self
  }

  /// Gets the value from the injector, and keeps it.
  @inlinable
  @inline(__always)
  func getAndKeep() throws(InjectorError) -> Value {
    if let kept = unsafe kept.pointer(to: Value.self) { return unsafe kept.pointee }
    switch try resolve(source, false) {
    case .found(let value): return kept.firstPublished(value)
    case .unkept(let value): return value
    case .unclaimed: return try claimAndKeep()
    }
  }

  /// Lets one thread get the value from the injector, because it may be a new one each time.
  @usableFromInline
  func claimAndKeep() throws(InjectorError) -> Value {
    let context = ThreadContext.current
    while true {
      switch try claim.begin(self, source, Value.self, as: context) {
      case .claimed: break
      case .alone:
        if let value = try answerOnce(context) { return value }
        continue
      case .over:
        if let kept = unsafe kept.pointer(to: Value.self) { return unsafe kept.pointee }
        continue
      }
      let value: Value?
      do throws(InjectorError) {
        value = try answerOnce(context)
      } catch {
        claim.end(self, error, as: context)
        throw error
      }
      claim.end(self, nil, as: context)
      if let value { return value }
    }
  }

  private func answerOnce(_ context: ThreadContext) throws(InjectorError) -> Value? {
    if let provisional = context.sessionEnd.provisional[self] {
      context.sessionEnd.pendingUses += 1
      return unsafe unsafeDowncast(provisional, to: Provisional.self).value
    }
    if let kept = unsafe kept.pointer(to: Value.self) { return unsafe kept.pointee }
    let pendingUses = context.sessionEnd.pendingUses
    switch try resolve(source, true) {
    case .found(let value):
      if context.sessionEnd.pendingUses == pendingUses { return kept.firstPublished(value) }
      // It is made of what is not published yet, and might never be.
      _ = context.sessionEnd.provisional.insert(Provisional(value, of: self), for: self)
      return value
    case .unkept(let value): return value
    case .unclaimed: return nil
    }
  }

  /// Soundness of the cast above: nobody but this object stores one for it.
  private final class Provisional: ProvisionalValue {
    let value: Value
    private let storage: InjectedStorage

    init(_ value: Value, of storage: InjectedStorage) {
      self.value = value
      self.storage = storage
    }

    override func keep() { storage.kept.publish(value) }
  }

  @inlinable
  func getOrTrap() -> Value {
    do throws(InjectorError) {
      return try get()
    } catch {
      source.trap(Value.self, error)
    }
  }
}

extension InjectedStorage {
  /// The slot of a property whose service must be there.
  @inlinable
  convenience init(required source: InjectedSource) {
    self.init(source) { source, isClaimed throws(InjectorError) in
      if isClaimed { return .found(try source.get(Value.self)) }
      if let instance = source.instance(Value.self) { return .found(instance) }
      return source.isCurrent ? .unkept(try source.get(Value.self)) : .unclaimed
    }
  }

  /// The slot of an optional property: `nil` while the service is absent, and then nothing is kept.
  @inlinable
  convenience init<Service: Sendable>(optional source: InjectedSource) where Value == Service? {
    self.init(source) { source, isClaimed throws(InjectorError) in
      if !isClaimed, let instance = source.instance(Service.self) { return .found(instance) }
      if !isClaimed, !source.isCurrent { return .unclaimed }
      let service = try source.get(Service?.self)
      return service == nil || source.isCurrent ? .unkept(service) : .found(service)
    }
  }
}

extension InjectedStorage {
  /// The slot of a property whose service a provider gives.
  convenience init(
    _ source: InjectedSource, _ provider: any KeyPath<Injector, Provider<Value>> & Sendable
  ) {
    self.init(source) { source, isClaimed throws(InjectorError) in
      if !isClaimed, !source.isCurrent { return .unclaimed }
      let injector = try source.injector(for: Value.self)
      let value = try injector[keyPath: provider].get(fileID: source.fileID, line: source.line)
      return source.isCurrent ? .unkept(value) : .found(value)
    }
  }
}

extension InjectedStorage {
  /// The slot of a property whose service a main-actor provider gives. The key path is followed on the main actor only.
  @MainActor
  convenience init(_ source: InjectedSource, onMainActor provider: KeyPath<Injector, MainActorProvider<Value>>) {
    let follow: @MainActor @Sendable (Injector) -> MainActorProvider<Value> = { $0[keyPath: provider] }
    self.init(source) { source, isClaimed throws(InjectorError) in
      if !isClaimed, !source.isCurrent { return .unclaimed }
      let injector = try source.injector(for: Value.self)
      guard isOnMainActor() else {
        var facts = InjectorError.Facts(about: ServiceKey(Value.self, nil), in: injector)
        facts.givenForm = .key("injected.get()")
        facts.isMadeOnce = !source.isCurrent
        throw InjectorError.mainActorRequired(facts).asked(at: source.fileID, source.line)
      }
      let provider = MainActor.assumeIsolated { follow(injector) }.provider
      let value = try provider.get(fileID: source.fileID, line: source.line)
      return source.isCurrent ? .unkept(value) : .found(value)
    }
  }
}

/// Where an `Injected` property gets its value from, and where it stands in the code.
@usableFromInline
struct InjectedSource: Sendable {
  @usableFromInline
  enum Target: Sendable {
    case environment(Environment)
    case injector(Injector)
  }

  @usableFromInline let target: Target
  @usableFromInline let tag: Injector.Tag?
  @usableFromInline let fileID: StaticString
  @usableFromInline let line: UInt

  @inlinable
  init(_ target: Target, _ tag: Injector.Tag?, _ fileID: StaticString, _ line: UInt) {
    self.target = target
    self.tag = tag
    self.fileID = fileID
    self.line = line
  }

  /// The instance that exists; nothing if the way may not be cut short.
  @inlinable
  func instance<Service: Sendable>(_ service: Service.Type) -> Service? {
    switch target {
    case .environment(let environment): environment.instance(service, tag)
    case .injector(let injector): injector.registrations.instance(service, tag)
    }
  }

  @usableFromInline
  func get<Service: Sendable>(_ service: Service.Type) throws(InjectorError) -> Service {
    try injector(for: service).get(service, tag: tag, fileID: fileID, line: line)
  }

  /// Whether that is the current injector of whoever reads: then nothing is kept, because others have another.
  @usableFromInline var isCurrent: Bool {
    if case .environment(let environment) = target { environment.isOfTask } else { false }
  }

  func injector(for service: any Any.Type) throws(InjectorError) -> Injector {
    switch target {
    case .injector(let injector): return injector
    case .environment(let environment):
      if !environment.isOfTask { return Injector[Injector.Name(environment)] }
      do throws(InjectorError) {
        return try Injector.requireCurrent(for: ServiceKey(service, tag))
      } catch {
        throw error.asked(at: fileID, line)
      }
    }
  }

  @usableFromInline
  func trap(_ value: any Any.Type, _ error: InjectorError) -> Never {
    Plug.trap("@Injected var of type \(typeName(value)) at \(fileID):\(line) cannot be read.", error, fileID, line)
  }
}
