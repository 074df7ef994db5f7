public import Synchronization

/// Making new instances with code that is specialized in the user's module, as far as nothing has to be remembered of
/// them.
///
/// Soundness of the unmanaged references: whoever calls keeps the entry alive, and a thread its context. These are
/// functions of an enum because a method of a generic class looks up the class's metadata where it is not specialized.
@usableFromInline
enum Resolution {
  /// An instance, where none exists.
  ///
  /// - Parameter thread: The context of the calling thread, if it is known.
  @inlinable
  static func make<Service: Sendable>(
    _ entry: Unmanaged<Entry<Service>>, for injector: Injector, on thread: Unmanaged<ThreadContext>? = nil
  ) throws(InjectorError) -> Service {
    guard unsafe entry._withUnsafeGuaranteedRef({ $0.isDirect.load(ordering: .relaxed) }) else {
      guard unsafe entry._withUnsafeGuaranteedRef({ $0.isTemplate }) else {
        return try unsafe entry.takeUnretainedValue().request(for: injector)
      }
      return try unsafe makeOwn(entry, for: injector, on: thread ?? ThreadLocalContext.context)
    }
    if unsafe entry._withUnsafeGuaranteedRef({ $0.makesShared }) {
      return try unsafe makeShared(entry, for: injector, on: thread ?? ThreadLocalContext.context)
    }
    let level = try unsafe begin(step(of: entry), in: injector, on: thread ?? ThreadLocalContext.context)
    guard unsafe level.isNested else { return try unsafe finish(entry, level, for: injector) }
    defer { unsafe end(level) }
    do {
      return try unsafe entry._withUnsafeGuaranteedRef { try $0.makeDirectly(for: injector) }
    } catch {
      throw unsafe failure(error, of: step(of: entry), in: injector)
    }
  }

  /// The instance that a scope has for itself.
  @inlinable
  @inline(never)
  static func makeOwn<Service: Sendable>(
    _ template: Unmanaged<Entry<Service>>, for injector: Injector, on thread: Unmanaged<ThreadContext>
  ) throws(InjectorError) -> Service {
    guard unsafe template._withUnsafeGuaranteedRef({ $0.isInPlace }) else {
      return try unsafe makeInCell(template, for: injector, on: thread)
    }
    return try unsafe makeInPlace(template, for: injector, on: thread)
  }

  /// The same, in a cell of its own.
  @inlinable
  @inline(never)
  static func makeInCell<Service: Sendable>(
    _ template: Unmanaged<Entry<Service>>, for injector: Injector, on thread: Unmanaged<ThreadContext>
  ) throws(InjectorError) -> Service {
    let own = try unsafe ownEntry(of: Unmanaged.fromOpaque(template.toOpaque()), in: injector, on: thread)
    return try unsafe make(ownCell: own, for: injector, on: thread)
  }

  /// The instance of a cell that a scope has for itself.
  ///
  /// - Parameter ownCell: The cell; released here.
  @inlinable
  @inline(never)
  static func make<Service: Sendable>(
    ownCell: Unmanaged<AnyEntry>, for injector: Injector, on thread: Unmanaged<ThreadContext>
  ) throws(InjectorError) -> Service {
    defer { unsafe ownCell.release() }
    let cell = unsafe Unmanaged<Entry<Service>>.fromOpaque(ownCell.toOpaque())
    if let built = unsafe cell._withUnsafeGuaranteedRef({ unsafe $0.instance.pointer(to: Service.self) }) {
      return unsafe built.pointee
    }
    guard unsafe cell._withUnsafeGuaranteedRef({ $0.makesShared }) else {
      return try unsafe cell.takeUnretainedValue().request(for: injector)
    }
    return try unsafe makeShared(cell, for: injector, on: thread)
  }

  /// The instance that a scope has for itself, without a cell as long as nobody needs one.
  @inlinable
  @inline(__always)
  static func makeInPlace<Service: Sendable>(
    _ template: Unmanaged<Entry<Service>>, for injector: Injector, on thread: Unmanaged<ThreadContext>
  ) throws(InjectorError) -> Service {
    let registered = unsafe Unmanaged<AnyEntry>.fromOpaque(template.toOpaque())
    let copy = unsafe OwnMaking.copy(on: thread)
    let found = unsafe injector.findOwn(registered, on: thread) { instance in
      unsafe copy.initializeMemory(as: Service.self, to: instance.assumingMemoryBound(to: Service.self).pointee)
    }
    let own: OwnPlace
    switch unsafe found {
    case .copied: return unsafe copy.assumingMemoryBound(to: Service.self).move()
    case .cell(let own): return try unsafe make(ownCell: own, for: injector, on: thread)
    case .begun(let begun): own = begun
    case .stepwise, .absent: return try unsafe makeInCell(template, for: injector, on: thread)
    }
    let making = try unsafe OwnMaking(registered, own, in: injector, on: thread)
    let service: Service
    do {
      service = try unsafe template._withUnsafeGuaranteedRef { try $0.makeDirectly(for: injector) }
    } catch {
      throw unsafe making.end(failure(error, of: step(of: template), in: injector))
    }
    if making.keep(service) {
      if let failure = making.settle(nil) { throw failure }
      return service
    }
    try publish(service, making, for: injector)
    return service
  }

  /// Publishes an instance that takes a cell by now.
  @inlinable
  @inline(never)
  static func publish<Service: Sendable>(
    _ service: Service, _ making: OwnMaking, for injector: Injector
  ) throws(InjectorError) {
    let cell = unsafe making.takeCell()
    defer { unsafe cell.release() }
    try unsafe publish(
      service, of: Unmanaged.fromOpaque(cell.toOpaque()), making.shared(by: cell), for: injector)
  }

  /// Makes the shared instance, unless another thread does, or it has to be made step by step.
  @inlinable
  static func makeShared<Service: Sendable>(
    _ entry: Unmanaged<Entry<Service>>, for injector: Injector, on thread: Unmanaged<ThreadContext>
  ) throws(InjectorError) -> Service {
    guard let making = try unsafe Making.begin(Unmanaged.fromOpaque(entry.toOpaque()), in: injector, on: thread) else {
      return try unsafe entry.takeUnretainedValue().request(for: injector)
    }
    if let built = unsafe entry._withUnsafeGuaranteedRef({ unsafe $0.instance.pointer(to: Service.self) }) {
      making.cancel()
      return unsafe built.pointee
    }
    let service: Service
    do {
      service = try unsafe entry._withUnsafeGuaranteedRef { try $0.makeDirectly(for: injector) }
    } catch {
      throw unsafe making.end(failure(error, of: step(of: entry), in: injector))
    }
    try unsafe publish(service, of: entry, making, for: injector)
    return service
  }

  /// Publishes an instance that has been made; later, if its session has something to configure before.
  @inlinable
  static func publish<Service: Sendable>(
    _ service: Service, of entry: Unmanaged<Entry<Service>>, _ making: Making, for injector: Injector
  ) throws(InjectorError) {
    if making.isUnsettled {
      return try unsafe entry.takeUnretainedValue().publishLater(service, making, for: injector)
    }
    let failure = making.end { unsafe entry._withUnsafeGuaranteedRef { $0.instance.publish(service) } }
    if let failure { throw failure }
  }

  /// Makes the instance of an outermost request, and finishes the session.
  @inlinable
  static func finish<Service: Sendable>(
    _ entry: Unmanaged<Entry<Service>>, _ level: Level, for injector: Injector
  ) throws(InjectorError) -> Service {
    let service: Service
    do {
      service = try unsafe entry._withUnsafeGuaranteedRef { try $0.makeDirectly(for: injector) }
    } catch {
      let failure = unsafe failure(error, of: step(of: entry), in: injector)
      unsafe end(level)
      _ = unsafe settle(level)
      throw failure
    }
    unsafe end(level)
    if let failure = unsafe settle(level) { throw failure }
    return service
  }

  /// An instance that is made from arguments. The same step may be under way already, with others.
  @inlinable
  @inline(__always)
  static func make<Service: Sendable>(
    _ step: Unmanaged<ResolutionStep>, for injector: Injector, _ make: (Injector) throws -> Service
  ) throws(InjectorError) -> Service {
    let level = try unsafe beginAgain(step, in: injector)
    let service: Service
    do {
      service = try make(injector)
    } catch {
      let failure = unsafe failure(error, of: step, in: injector)
      unsafe end(level)
      if unsafe !level.isNested { _ = unsafe settle(level) }
      throw failure
    }
    unsafe end(level)
    if unsafe !level.isNested, let failure = unsafe settle(level) { throw failure }
    return service
  }

  /// What a scope has in place of an entry that is registered as scoped; of the same type, and retained.
  @usableFromInline
  static func ownEntry(
    of template: Unmanaged<AnyEntry>, in injector: Injector, on thread: Unmanaged<ThreadContext>
  ) throws(InjectorError) -> Unmanaged<AnyEntry> {
    if let known = unsafe injector.quickOwnCell(for: template, on: thread) { return unsafe known }
    return try unsafe .passRetained(injector.ownCell(for: template.takeUnretainedValue()))
  }

  @inlinable
  static func step<Service: Sendable>(of entry: Unmanaged<Entry<Service>>) -> Unmanaged<ResolutionStep> {
    unsafe Unmanaged.fromOpaque(entry.toOpaque())
  }

  /// A request that has begun on a thread.
  @unsafe
  @usableFromInline
  struct Level {
    @usableFromInline let thread: Unmanaged<ThreadContext>
    /// Whether it comes from a factory or a configuration of another.
    @usableFromInline let isNested: Bool
  }

  @usableFromInline
  static func begin(
    _ step: Unmanaged<ResolutionStep>, in injector: Injector, on thread: Unmanaged<ThreadContext>
  ) throws(InjectorError) -> Level {
    let isNested = unsafe thread._withUnsafeGuaranteedRef { !$0.isIdle }
    if let refusal = unsafe thread._withUnsafeGuaranteedRef({ unsafe $0.begin(step, in: injector) }) { throw refusal }
    return unsafe Level(thread: thread, isNested: isNested)
  }

  /// Begins a request for another instance of a step that may be under way already.
  @usableFromInline
  static func beginAgain(_ step: Unmanaged<ResolutionStep>, in injector: Injector) throws(InjectorError) -> Level {
    let thread = unsafe ThreadLocalContext.context
    let isNested = unsafe thread._withUnsafeGuaranteedRef { !$0.isIdle }
    if let refusal = unsafe thread._withUnsafeGuaranteedRef({ unsafe $0.beginAgain(step, in: injector) }) {
      throw refusal
    }
    return unsafe Level(thread: thread, isNested: isNested)
  }

  @usableFromInline
  static func end(_ level: Level) {
    unsafe level.thread._withUnsafeGuaranteedRef { $0.end() }
  }

  @usableFromInline
  static func settle(_ level: Level) -> InjectorError? {
    unsafe level.thread._withUnsafeGuaranteedRef { $0.settle() }
  }

  @usableFromInline
  static func failure(_ error: any Error, of step: Unmanaged<ResolutionStep>, in injector: Injector) -> InjectorError {
    unsafe InjectorError(reporting: error, about: step.takeUnretainedValue().declaration, in: injector)
  }

  /// Begins to run the rules of a selector, as one level more, so that one that asks for its service is found out.
  @usableFromInline
  static func beginRules(of step: ResolutionStep, in injector: Injector) throws(InjectorError) -> Unmanaged<
    ThreadContext
  > {
    let context = unsafe ThreadLocalContext.context
    let refusal = unsafe context._withUnsafeGuaranteedRef { context in
      unsafe context.beginRules(of: Unmanaged.passUnretained(step), in: injector)
    }
    if let refusal { throw refusal }
    return unsafe context
  }

  @usableFromInline
  static func endRules(_ context: Unmanaged<ThreadContext>) {
    unsafe context._withUnsafeGuaranteedRef { $0.endRules() }
  }

  /// Why no candidate applies, if that does not lie in the rules.
  @usableFromInline
  static func interruption(of context: Unmanaged<ThreadContext>) -> InjectorError? {
    unsafe context._withUnsafeGuaranteedRef { $0.interruption }
  }

  /// Notes what a condition has thrown.
  @usableFromInline
  static func noteInterruption(_ error: any Error) {
    ThreadContext.current.noteInterruption(error)
  }
}
