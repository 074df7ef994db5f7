/// Where an `Injected` property keeps its value.
@usableFromInline
final class InjectedSlot<Value: Sendable>: Sendable {
  @usableFromInline let kept = Published()
  @usableFromInline let source: InjectedSource
  @usableFromInline let resolve: Resolve

  /// Soundness: it lives as long as the program.
  @usableFromInline unowned(unsafe) let attention: Attention

  @usableFromInline typealias Resolve = @Sendable (borrowing InjectedSource) throws(InjectorError) -> Answer

  /// What an injector answers.
  @usableFromInline
  enum Answer {
    /// A value to keep.
    case found(Value)
    /// One that stands for a service which is absent for now.
    case absent(Value)
  }

  @inlinable
  init(_ source: InjectedSource, resolve: @escaping Resolve) {
    self.source = source
    self.resolve = resolve
    unsafe attention = .shared
  }

  deinit {
    if unsafe attention.isDemanded { StandIns.forget(ObjectIdentifier(self)) }
    kept.destroy(Value.self)
  }

  /// The value, for a property, which cannot throw.
  @inlinable var value: Value {
    guard unsafe !attention.isDemanded, let kept = unsafe kept.pointer(to: Value.self) else { return getOrTrap() }
    return unsafe kept.pointee
  }

  @inlinable
  func get() throws(InjectorError) -> Value {
    unsafe attention.isDemanded ? try isolated().getAndKeep() : try getAndKeep()
  }

  /// The slot of the sandbox that the calling task is in.
  @usableFromInline
  func isolated() -> InjectedSlot {
    if let sandbox = Sandbox.current { return sandbox.standIn(for: self) { InjectedSlot(source, resolve: resolve) } }
    _ = source.injector.isolatedOrEscaped(source.fileID, source.line)
    return self
  }

  /// Gets the value from the injector, and keeps it unless another thread was first.
  @inlinable
  func getAndKeep() throws(InjectorError) -> Value {
    if let kept = unsafe kept.pointer(to: Value.self) { return unsafe kept.pointee }
    switch try resolve(source) {
    case .found(let value): return kept.publish(value)
    case .absent(let value): return value
    }
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

extension InjectedSlot {
  /// The slot of a property whose service must be there.
  @inlinable
  convenience init(required source: InjectedSource) {
    self.init(source) { source throws(InjectorError) in
      .found(try source.get(Value.self))
    }
  }

  /// The slot of an optional property: `nil` while the service is absent, and then nothing is kept.
  @inlinable
  convenience init<Service: Sendable>(optional source: InjectedSource) where Value == Service? {
    self.init(source) { source throws(InjectorError) in
      let service = try source.find(Service.self)
      return service == nil ? .absent(nil) : .found(service)
    }
  }
}

extension InjectedSlot {
  /// The slot of a property whose service a provider gives.
  convenience init(
    _ source: InjectedSource, _ provider: any KeyPath<Injector, Provider<Value>> & Sendable
  ) {
    self.init(source) { source throws(InjectorError) in
      .found(try source.injector[keyPath: provider].get(fileID: source.fileID, line: source.line))
    }
  }
}

/// Where an `Injected` property gets its value from, and where it stands in the code.
@usableFromInline
struct InjectedSource: Sendable {
  @usableFromInline
  enum Place: Sendable {
    case environment(Environment)
    case injector(Injector)
  }

  @usableFromInline let place: Place
  @usableFromInline let tag: Injector.Tag?
  @usableFromInline let fileID: StaticString
  @usableFromInline let line: UInt

  @inlinable
  init(_ place: Place, _ tag: Injector.Tag?, _ fileID: StaticString, _ line: UInt) {
    self.place = place
    self.tag = tag
    self.fileID = fileID
    self.line = line
  }

  @inlinable
  func get<Service: Sendable>(_ service: Service.Type) throws(InjectorError) -> Service {
    switch place {
    case .environment(let environment): try environment.get(service, tag, fileID, line)
    case .injector(let injector): try injector.get(service, tag: tag, fileID: fileID, line: line)
    }
  }

  @usableFromInline
  func find<Service: Sendable>(_ service: Service.Type) throws(InjectorError) -> Service? {
    try injector.find(service, tag, fileID, line)
  }

  var injector: Injector {
    switch place {
    case .environment(let environment): Injector[Injector.Name(environment)]
    case .injector(let injector): injector
    }
  }

  @usableFromInline
  func trap(_ value: any Any.Type, _ error: InjectorError) -> Never {
    Plug.trap("@Injected var of type \(typeName(value)) at \(fileID):\(line) cannot be read.", error, fileID, line)
  }
}
