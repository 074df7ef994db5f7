/// The value of an injected property, which copies of the property share.
///
/// The slot is a cell that no injector keeps: the first read claims it, and others wait. A read that would wait in a
/// cycle gets a value without the claim. If the services themselves form a cycle, their request reports it.
@usableFromInline
final class InjectedSlot: Sendable {
  /// Gets the value, and whether it may be kept.
  typealias Resolve = @Sendable (Injector, Key) throws -> (box: AnyBox, isKept: Bool)

  /// Where the value comes from.
  enum Source: Sendable {
    case environment(Environment)
    case injector(Injector)
    /// The value is kept, so the injector is no longer needed.
    case released(Boxed<WeakInjector>)
  }

  struct WeakInjector: Sendable {
    weak var injector: Injector?
    let isScope: Bool
  }

  @usableFromInline let cell: Cell
  private let source: Guarded<Source>
  /// Whether each read asks the calling task's current injector.
  private let isOfTask: Bool
  /// `nil` for a service that is requested by its type.
  private let resolve: Resolve?
  /// The number of the sandbox in which the property was created; 0 outside of sandboxes.
  private let sandbox: UInt
  /// The preview in which the property was created; its value comes from there wherever it is read.
  private let preview: (any Redirection)?
  private let fileID: StaticString
  private let line: UInt

  @usableFromInline
  convenience init(named name: Injector.Name, _ key: Key, _ fileID: StaticString, _ line: UInt) {
    self.init(.environment(name.environment), key, fileID, line)
  }

  @usableFromInline
  convenience init(in injector: Injector, _ key: Key, _ fileID: StaticString, _ line: UInt) {
    self.init(.injector(injector), key, fileID, line)
  }

  init(_ source: Source, _ key: Key, _ fileID: StaticString, _ line: UInt, _ resolve: Resolve? = nil) {
    self.source = Guarded(source)
    isOfTask = if case .environment(let environment) = source { environment.isOfTask } else { false }
    (self.resolve, self.fileID, self.line) = (resolve, fileID, line)
    preview = Layers.redirection.flatMap { $0.isPreview ? $0 : nil }
    sandbox = preview?.number ?? Layers.sandbox
    cell = Cell(
      Registration(
        key, .lazySingleton, AnyRecipe.unused, depth: 0, location: CodeLocation(fileID: "\(fileID)", line: Int(line))))
  }

  private func request(_ injector: Injector) throws -> (box: AnyBox, isKept: Bool) {
    let key = cell.registration.key
    if let resolve { return try resolve(injector, key) }
    guard key.derivation?.isOptional == true else { return (try injector.box(for: key), isKept: true) }
    if let box = try injector.boxIfRegistered(for: key) { return (box, isKept: true) }
    return (try injector.box(for: key), isKept: false)  // The service may be registered later.
  }

  /// The kept value, unless the calling code may be isolated.
  @inlinable
  @inline(__always)
  var kept: SealedTable.Reference? { Layers.isRedirecting ? nil : cell.published.instance }

  func get() throws(InjectorError) -> AnyBox {
    do {
      let redirection = Layers.redirection
      if redirection == nil, Layers.isRedirecting, cell.published.instance != nil, let found = try? injector() {
        _ = found.redirected(fileID, line)
      }
      if redirection?.number == sandbox { return try value() }
      if let redirection, preview == nil || redirection.isInside(sandbox) {
        return try redirection.isolated(self) {
          InjectedSlot(source.withLock { $0 }, cell.registration.key, fileID, line, resolve)
        }.value()
      }
      guard let preview else { return try value() }
      return try Layers.withRedirection(preview) { Result { try value() } }.get()
    } catch {
      throw error.asked(at: fileID, line)
    }
  }

  func trap(_ value: any Any.Type, _ error: InjectorError) -> Never {
    let location = CodeLocation(fileID: "\(fileID)", line: Int(line))
    Plug.trap("@Injected var of type \(typeName(value)) at \(location) cannot be read.", error, fileID, line)
  }

  private func injector() throws -> Injector {
    switch source.withLock({ $0 }) {
    case .injector(let injector): return injector
    case .environment(let environment) where environment.isOfTask:
      return try Injector.requireCurrent(for: cell.registration.key)
    case .environment(let environment): return Injector[Injector.Name(environment)]
    case .released(let known):
      if let injector = known.value.injector { return injector }
      var facts = InjectorError.Facts(.service(ServiceName(key: cell.registration.key, candidate: nil)), in: .none)
      facts[.isOfRoot] = !known.value.isScope
      throw InjectorError.closed(facts)
    }
  }

  private func value() throws -> AnyBox {
    if let box = cell.published.box { return box }
    let key = cell.registration.key
    if isOfTask, Injector.current == nil, let none = key.derivation, !none.hasAll { return none.make([]) }
    let found = try injector()
    let injector = found.active(fileID, line)
    if isOfTask { return try request(injector).box }
    // Most first reads find an instance that exists.
    if resolve == nil, let box = injector.publishedBox(of: key), cell.adopt(box) {
      release()
      return box
    }
    return try ThreadStack.current.with { stack in try value(of: injector, stack) }
  }

  private func value(of injector: Injector, _ stack: ResolutionStack) throws -> AnyBox {
    while true {
      switch cell.turn(for: stack.work) {
      case .take(let box): return box
      case .make: return try make(from: injector, stack)
      case .gone: return try request(injector).box
      case .wait:
        do {
          if let box = try cell.wait(Asker(stack), injector) { return box }
        } catch {
          guard case .circularDependency = InjectorError(error) else { throw error }
          return try request(injector).box
        }
      }
    }
  }

  private func make(from injector: Injector, _ stack: ResolutionStack) throws -> AnyBox {
    let uses = stack.own.uses
    let (box, isKept): (AnyBox, Bool)
    do {
      // In a level of its own, so that the read ends with everything that it has begun.
      try stack.enter(cell.registration, for: injector)
      do {
        (box, isKept) = try request(injector)
      } catch {
        stack.leave(failingWith: error)
        throw error
      }
    } catch {
      cell.fail(.failed(error), by: stack.work)
      throw error
    }
    if !isKept {
      cell.fail(.look, by: stack.work)
    } else if stack.own.uses == uses || stack.own.session?.isSettled ?? true {
      release()
      cell.publish(box, in: injector)
    } else {
      // The value depends on instances that are not published yet, and may never be. Then a later read needs the
      // injector.
      stack.own.uses &+= 1
      cell.claim.withLock { $0.construct(box, isConfigured: true) }
      stack.openSession().made.append(
        Session.Made(
          registration: cell.registration, cell: cell, box: box, injector: injector, maker: stack.work,
          stage: .configured))
    }
    try stack.leave()
    return box
  }

  /// Releases the injector.
  private func release() {
    let old = source.withLock { source -> Injector? in
      guard case .injector(let injector) = source else { return nil }
      source = .released(Boxed(WeakInjector(injector: injector, isScope: injector.isScope)))
      return injector
    }
    withExtendedLifetime(old) {}
  }
}

extension Injector {
  /// The instance of a service, if it exists and a request has nothing else to do.
  fileprivate func publishedBox(of key: Key) -> AnyBox? {
    guard !Layers.areHooked(self), let cell = try? find(key), cell.registration.depth == 0 else { return nil }
    return cell.published.box
  }
}

extension Cell {
  /// Publishes an instance that another cell keeps, unless this cell has been claimed.
  fileprivate func adopt(_ box: AnyBox) -> Bool {
    claim.withLock { claim in
      let isFirst = claim.adopt()
      if isFirst { published.publish(box) }
      return isFirst
    }
  }
}
