/// The value of an injected property, which copies of the property share.
///
/// The slot is a cell that no injector keeps: the first read claims it, others wait. A read that would wait in a circle
/// gets a value without the claim, because the circle, if there is one, is that of the services.
@usableFromInline
final class InjectedSlot: Sendable {
  @usableFromInline typealias Resolve = @Sendable (Injector, Key) throws(InjectorError) -> AnyBox?

  /// Where the value comes from.
  @usableFromInline
  enum Source: Sendable {
    case environment(Environment)
    case injector(Injector)
    /// The value is kept, so that the injector need not be.
    case released(WeakInjector)

    var isOfTask: Bool { if case .environment(let environment) = self { environment.isOfTask } else { false } }
  }

  @usableFromInline
  struct WeakInjector: Sendable {
    weak var injector: Injector?
  }

  /// The preview that a property was made in. The property holds it, unless an instance has the property that the
  /// copies keep: the two would never be released.
  private struct Home {
    private let held: (any Redirection)?
    private weak let known: (any Redirection)?
    let number: UInt

    init(_ preview: any Redirection) {
      (known, number) = (preview, preview.number)
      held = Level.current.with { $0.own.frames.last?.outermost ?? .max } == .max ? preview : nil
    }

    var preview: (any Redirection)? { known }
  }

  @usableFromInline let cell: Cell
  private let source: Guarded<Source>
  private let resolve: Resolve
  /// The preview that it was made in.
  private let home: Home?
  /// The number of the sandbox that it was made in; 0 if it was made in none.
  private let sandbox: UInt
  private let fileID: StaticString
  private let line: UInt

  @usableFromInline
  init(
    _ source: Source, _ key: Key, _ fileID: StaticString, _ line: UInt, resolve: @escaping Resolve
  ) {
    self.source = Guarded(source)
    self.resolve = resolve
    (self.fileID, self.line) = (fileID, line)
    home = Layers.redirection.flatMap { $0.isHeld ? Home($0) : nil }
    sandbox = Layers.sandbox
    cell = Cell(
      Registration(
        key, .lazySingleton, AnyRecipe.unused, depth: 0, location: CodeLocation(fileID: "\(fileID)", line: Int(line))))
  }

  @usableFromInline
  convenience init(required source: Source, _ key: Key, _ fileID: StaticString, _ line: UInt) {
    self.init(source, key, fileID, line) { injector, key throws(InjectorError) in
      // An empty list may be another one later.
      try key.derivation?.isOptional == true ? injector.boxIfRegistered(for: key) : injector.box(for: key)
    }
  }

  /// The kept value, unless the calling code may be isolated.
  @inlinable
  @inline(__always)
  var kept: ShortWay.Reference? { Layers.isRedirecting ? nil : cell.published.instance }

  @usableFromInline
  func get() throws(InjectorError) -> AnyBox {
    do throws(InjectorError) {
      let redirection = Layers.redirection
      if redirection == nil, Layers.isRedirecting, cell.published.instance != nil, let found = try? injector() {
        _ = found.redirected(fileID, line)
      }
      guard let home else {
        if redirection?.number == sandbox { return try value() }
        return try (redirection?.isolated(self) { copy } ?? self).value()
      }
      if let redirection, redirection.number == home.number { return try value() }
      if let redirection, redirection.isInside(home.number) { return try redirection.isolated(self) { copy }.value() }
      guard let preview = home.preview else { throw try previewIsOver() }
      return try Layers.withRedirection(preview) { Result { () throws(InjectorError) in try value() } }.get()
    } catch {
      throw error.asked(at: fileID, line)
    }
  }

  @usableFromInline
  func trap(_ value: any Any.Type, _ error: InjectorError) -> Never {
    let location = CodeLocation(fileID: "\(fileID)", line: Int(line))
    Plug.trap("@Injected var of type \(typeName(value)) at \(location) cannot be read.", error, fileID, line)
  }

  private func previewIsOver() throws(InjectorError) -> InjectorError {
    var facts = InjectorError.Facts(about: cell.registration.key, in: try injector())
    facts[.isOfPreview] = true
    return .closed(facts)
  }

  private var copy: InjectedSlot {
    InjectedSlot(source.withLock { $0 }, cell.registration.key, fileID, line, resolve: resolve)
  }

  private func injector() throws(InjectorError) -> Injector {
    switch source.withLock({ $0 }) {
    case .injector(let injector): return injector
    case .environment(let environment) where environment.isOfTask:
      return try Injector.requireCurrent(for: cell.registration.key)
    case .environment(let environment): return Injector[Injector.Name(environment)]
    case .released(let known):
      if let injector = known.injector { return injector }
      let facts = InjectorError.Facts(.service(ServiceName(key: cell.registration.key, candidate: nil)), in: .none)
      throw .closed(facts)
    }
  }

  private func value() throws(InjectorError) -> AnyBox {
    if let box = cell.published.box { return box }
    let found = try injector()
    let injector = found.redirected(fileID, line) ?? found
    if source.withLock({ $0.isOfTask }) { return try resolved(by: injector) }
    return try Level.current.with { (stack) throws(InjectorError) in try value(of: injector, stack) }
  }

  private func value(of injector: Injector, _ stack: ResolutionStack) throws(InjectorError) -> AnyBox {
    while true {
      switch cell.turn(for: stack.work) {
      case .take(let box): return box
      case .gone: return try resolved(by: injector)
      case .wait:
        do throws(InjectorError) {
          if let box = try cell.wait(Asker(stack), injector) { return box }
        } catch {
          guard case .circularDependency = error else { throw error }
          return try resolved(by: injector)
        }
      case .make: return try make(from: injector, stack)
      }
    }
  }

  private func make(from injector: Injector, _ stack: ResolutionStack) throws(InjectorError) -> AnyBox {
    let uses = stack.own.uses
    let found: AnyBox?
    do throws(InjectorError) {
      // A level of its own, so that the read is finished with all that it has begun.
      try stack.enter(cell.registration, for: injector)
      do throws(InjectorError) {
        found = try resolve(injector, cell.registration.key)
      } catch {
        stack.leave(failingWith: error)
        throw error
      }
    } catch {
      cell.fail(.failed(error), by: stack.work)
      throw error
    }
    guard let box = found else {
      cell.fail(.look, by: stack.work)
      try stack.leave()
      return try injector.box(for: cell.registration.key)  // What stands for nothing is not kept.
    }
    let old = source.withLock { source -> Source in
      defer { if case .injector(let injector) = source { source = .released(WeakInjector(injector: injector)) } }
      return source
    }
    withExtendedLifetime(old) {}
    if stack.own.uses == uses || stack.own.session?.isSettled ?? true {
      cell.publish(box, in: injector)
    } else {
      // The value is made of what is not published yet, and might never be.
      stack.own.uses &+= 1
      cell.claim.withLock { $0.construct(box) }
      stack.openSession().made.append(
        Session.Made(
          registration: cell.registration, cell: cell, box: box, injector: injector, maker: stack.work,
          stage: .configured))
    }
    try stack.leave()
    return box
  }

  private func resolved(by injector: Injector) throws(InjectorError) -> AnyBox {
    let key = cell.registration.key
    if let box = try resolve(injector, key) { return box }
    return try injector.box(for: key)
  }
}
