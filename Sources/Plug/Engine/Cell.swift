import Synchronization

/// Where the instances of one injection come from, and where a shared one is kept.
///
/// Soundness of the unchecked conformance: its own state is immutable after `init` or in `attempt`. Of the cast in
/// `arrive`: `arrive` is the only one to store an attempt, and it stores a `TypedConstruction<Service>`.
@usableFromInline
final class Cell<Service: Sendable>: Entry<Service>, @unchecked Sendable {
  let factory: Injection<Service>.Factory
  private let isShared: Bool

  /// The attempt that is under way: always a `TypedConstruction` of this `Service`.
  private let attempt = Guarded<Construction?>(nil)

  @usableFromInline
  init(_ factory: Injection<Service>.Factory, isShared: Bool, subject: Subject) {
    self.factory = factory
    self.isShared = isShared
    super.init(direct: isShared ? nil : factory.direct, subject: subject)
  }

  override var plain: Cell<Service>? { self }

  override func first(for injector: Injector) throws(InjectorError) -> Service? { try instance(for: injector) }

  override func all(for injector: Injector) throws(InjectorError) -> [Service] { [try instance(for: injector)] }

  @usableFromInline
  override func request(for injector: Injector) throws(InjectorError) -> Service {
    let context = ThreadContext.current
    let recipe = Recipe(cell: self, injector: injector)
    return try context.session { () throws(InjectorError) in
      try isShared ? shared(recipe, context) : unshared(recipe, context)
    }
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
        if let built = unsafe instance.pointer(to: Service.self) { return unsafe built.pointee }
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
      if unsafe instance.pointer(to: Service.self) != nil { return (nil, false) }
      if let current { return (unsafe unsafeDowncast(current, to: TypedConstruction<Service>.self), false) }
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

extension Injection {
  /// A cell for the injection.
  @inlinable
  func makeCell(_ subject: Subject) -> Cell<Service> {
    switch self {
    case .singleton(let service):
      let cell = Cell(Factory(giving: service), isShared: true, subject: subject)
      cell.instance.publish(service)
      return cell
    case .lazySingleton(let service?, let factory):
      let cell = Cell(factory.giving(service), isShared: true, subject: subject)
      if !factory.needsSetup { cell.instance.publish(service) }
      return cell
    case .lazySingleton(nil, let factory):
      return Cell(factory, isShared: true, subject: subject)
    case .factory(let factory):
      return Cell(factory, isShared: false, subject: subject)
    }
  }
}

/// An attempt to build the shared instance of a cell.
///
/// Soundness of the unchecked conformance: `service` is written by the owner before the phase leaves `constructing`,
/// and read by others after they have seen that, under the same lock.
final class TypedConstruction<Service: Sendable>: Construction, @unchecked Sendable {
  private let cell: Cell<Service>
  fileprivate(set) var service: Service?

  init(cell: Cell<Service>, owner: ThreadContext) {
    self.cell = cell
    super.init(step: cell, owner: owner)
  }

  override func finish(_ failure: InjectorError?) {
    if failure == nil, let service { cell.instance.publish(service) }
    cell.endAttempt()
    super.finish(failure)
  }
}
