public import Synchronization

/// Where the instances of one injection come from, and where a shared one is kept.
///
/// Soundness: `instance` is set once, by `init` or by the one thread whose attempt succeeded, to memory that has been
/// initialized before, with release ordering. It is read with acquire ordering, and neither it nor what it points to
/// changes until `deinit`, which nobody can race with, since whoever reads holds the cell.
@safe
@usableFromInline
final class Cell<Service: Sendable>: Step, @unchecked Sendable {
  let injection: Injection<Service>
  @usableFromInline let instance = unsafe Atomic<UnsafeMutablePointer<Service>?>(nil)

  /// The factory of an instance that is new each time, needs no configuration, and can be made anywhere.
  @usableFromInline let direct: (@Sendable (Injector) throws -> Service)?
  private let attempt = Guarded<TypedConstruction<Service>?>(nil)

  init(_ injection: Injection<Service>, subject: Subject) {
    self.injection = injection
    direct = injection.direct
    super.init(subject: subject)
    switch injection {
    case .singleton(let service):
      publish(service)
    case .lazySingleton(let service?, let factory) where factory.configurations.isEmpty:
      publish(service)
    case .lazySingleton, .factory:
      break
    }
  }

  deinit {
    guard let pointer = unsafe instance.load(ordering: .acquiring) else { return }
    unsafe pointer.deinitialize(count: 1)
    unsafe pointer.deallocate()
  }

  /// The shared instance, or a new one, as the injection says.
  @inlinable
  func instance(for injector: Injector) throws(InjectorError) -> Service {
    if let built = unsafe built { return unsafe built.pointee }
    if let direct { return try make(direct, for: injector) }
    return try request(for: injector)
  }

  /// The shared instance, if it has been made.
  @inlinable var built: UnsafePointer<Service>? {
    unsafe UnsafePointer(instance.load(ordering: .acquiring))
  }

  /// Makes an instance that nothing has to be remembered of.
  @inlinable
  func make(
    _ make: @Sendable (Injector) throws -> Service, for injector: Injector
  ) throws(InjectorError) -> Service {
    var frame = unsafe ThreadContext.Frame(step: Unmanaged.passUnretained(self))
    return try unsafe withUnsafeMutablePointer(to: &frame) { frame throws(InjectorError) in
      try unsafe ThreadContext.enter(frame, in: injector)
      let service: Service
      do {
        service = try make(injector)
      } catch {
        throw unsafe ThreadContext.leave(frame, failing: error, in: injector)
      }
      try unsafe ThreadContext.leave(frame)
      return service
    }
  }

  @usableFromInline
  func request(for injector: Injector) throws(InjectorError) -> Service {
    let context = ThreadContext.current
    switch injection {
    case .singleton(let service): return service
    case .lazySingleton(let given, let factory):
      return try context.session { () throws(InjectorError) in
        try shared(Recipe(given: given, factory: factory, cell: self, injector: injector), context)
      }
    case .factory(let factory):
      return try context.session { () throws(InjectorError) in
        try unshared(Recipe(given: nil, factory: factory, cell: self, injector: injector), context)
      }
    }
  }

  fileprivate func publish(_ service: Service) {
    let pointer = UnsafeMutablePointer<Service>.allocate(capacity: 1)
    unsafe pointer.initialize(to: service)
    unsafe instance.store(pointer, ordering: .releasing)
  }

  fileprivate func endAttempt() {
    attempt.withLock { $0 = nil }
  }

  private func unshared(_ recipe: Recipe<Service>, _ context: ThreadContext) throws(InjectorError) -> Service {
    try context.refuseCycle(through: self, in: recipe.injector)
    try recipe.checkMainActor()
    return try context.push(self, in: recipe.injector) { () throws(InjectorError) in
      let service = try recipe.make()
      recipe.deferConfigurations(of: service, context)
      return service
    }
  }

  private func shared(_ recipe: Recipe<Service>, _ context: ThreadContext) throws(InjectorError) -> Service {
    while true {
      let (construction, isMine) = try arrive(recipe, context)
      guard let construction else {
        if let built = unsafe built { return unsafe built.pointee }
        continue
      }
      if isMine { return try build(construction, recipe, context) }
      if try WaitGraph.join(construction, as: context, in: recipe.injector), let early = construction.service {
        return early
      }
    }
  }

  /// Joins the attempt that is under way, or begins one; neither if the instance exists by now.
  private func arrive(
    _ recipe: Recipe<Service>, _ context: ThreadContext
  ) throws(InjectorError) -> (TypedConstruction<Service>?, isMine: Bool) {
    let refusal = recipe.mainActorRefusal()
    let fresh = TypedConstruction(cell: self, owner: context)
    return try attempt.withLock { current throws(InjectorError) in
      if unsafe built != nil { return (nil, false) }
      if let current { return (current, false) }
      if let refusal { throw refusal }
      current = fresh
      return (fresh, true)
    }
  }

  private func build(
    _ construction: TypedConstruction<Service>, _ recipe: Recipe<Service>, _ context: ThreadContext
  ) throws(InjectorError) -> Service {
    do throws(InjectorError) {
      return try context.push(self, in: recipe.injector) { () throws(InjectorError) in
        let service = try recipe.make()
        construction.service = service
        recipe.deferConfigurations(of: service, context)
        if context.deferred.isEmpty && context.assembly == nil {
          construction.finish(nil)
        } else {
          context.assemble(construction)
        }
        return service
      }
    } catch {
      construction.finish(error)
      throw error
    }
  }
}

/// An attempt to build the shared instance of a cell.
///
/// Soundness of the unchecked conformance: `service` is written by the owner before the phase leaves `constructing`, and
/// read by others after they have seen that, under the same lock.
final class TypedConstruction<Service: Sendable>: Construction, @unchecked Sendable {
  private let cell: Cell<Service>
  fileprivate(set) var service: Service?

  init(cell: Cell<Service>, owner: ThreadContext) {
    self.cell = cell
    super.init(step: cell, owner: owner)
  }

  override func finish(_ failure: InjectorError?) {
    if failure == nil, let service { cell.publish(service) }
    cell.endAttempt()
    super.finish(failure)
  }
}
