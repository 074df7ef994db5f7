/// An instance that has been made asynchronously.
final class Loaded<Service: Sendable>: Sendable {
  let instance: Service

  /// What was asked for meanwhile, if someone wants to know.
  let record: RunRecord?

  init(_ instance: Service, _ record: RunRecord?) {
    self.instance = instance
    self.record = record
  }
}

/// All that is needed to make one instance of a cell for one injector.
struct Recipe<Service: Sendable>: Sendable {
  let cell: Cell<Service>
  let injector: Injector

  /// What has been made already, asynchronously; an object, so that a recipe is of one size.
  var loaded: Loaded<Service>?

  private var factory: Injection<Service>.Factory.Core { cell.factory }

  /// Runs the factory, one level deeper.
  ///
  /// - Parameter finish: Runs on the same level with the instance, and with what has been made, if that is wrapped.
  /// - Throws: What the factory throws, if that is an `InjectorError`; else
  ///   ``InjectorError/constructionFailed(_:underlying:)``.
  func make(_ context: ThreadContext, _ finish: (Service, _ made: Service) -> Void) throws(InjectorError) -> Service {
    if case .absent = factory.knowledge {
      throw injector.absence(of: cell.key, placeholder: cell.location)
    }
    let record = loaded?.record ?? cell.makeRecord(in: injector)
    let trace = injector.constructionTrace(cell.declaration)
    let service = try context.push(cell, keeper: keeper, record: record, in: injector) {
      () throws(InjectorError) in
      let made = try reportingFailure { try loaded?.instance ?? factory.make(injector) }
      let service = factory.isDecorated ? try wrap(made) : made
      finish(service, made)
      return service
    }
    if let record { cell.finishRecording(record, isConfigured: false) }
    trace?.end()
    return service
  }

  private func wrap(_ made: Service) throws(InjectorError) -> Service {
    do throws(InjectorError) {
      return try reportingFailure {
        try (factory.extras?.decorations ?? []).reduce(made) { try $1.wrap($0, injector) }
      }
    } catch {
      if loaded == nil { cell.discard(made, in: injector) }
      throw error
    }
  }

  /// Puts the configurations off to the end of the session, when all that it needs has been made.
  func deferConfigurations(of service: Service, _ context: ThreadContext) {
    guard let setup = factory.setup else { return }
    let history = context.makeHistory()
    let isRecorded = factory.knowledge.isDeclared || !cell.hasBeenConfigured
    let record = isRecorded ? RunRecord(in: injector, isConfiguring: true) : nil
    context.sessionEnd.pendingUses += 1
    context.sessionEnd.deferred.append(
      Deferred(step: cell) { context throws(InjectorError) in
        try context.push(cell, keeper: keeper, record: record, isConfiguring: true, history: history, in: injector) {
          () throws(InjectorError) in
          if let history, history.round >= History.roundLimit {
            throw .depthExceeded(facts.exceeding(.rounds), depth: facts.chain.count)
          }
          try reportingFailure { try setup.run(service, injector) }
        }
        if let record { cell.finishRecording(record, isConfigured: true) }
      })
  }

  /// Why the instance cannot be made here and now.
  func refusal(_ context: ThreadContext) -> InjectorError? {
    if factory.isLoaded, loaded == nil {
      if let search = context.loadLoop {
        if let failure = search.failure(of: cell) { return failure }
        search.note(cell, in: injector, by: context.ownTrail)
      } else if let steps = LoadContext.current?.steps, let index = steps.lastIndex(where: { $0 === cell }) {
        return .circularDependency(facts, path: (steps[index...] + context.ownTrail + [cell]).map(\.declaration.name))
      }
      return .notLoaded(facts)
    }
    if cell.isCopy, cell.kind == .singleton, factory.setup != nil, isGivenObject {
      return .lifetimeUnsupported(facts, lifetime: .singleton, reason: .cannotBeIsolated)
    }
    switch factory.isolation {
    case .none: return nil
    case .mainActor:
      if isOnMainActor() { return nil }
      var facts = facts
      facts.isMadeOnce = cell.isMadeOnce
      return .mainActorRequired(facts)
    case .unsupported(let actor): return .actorUnsupported(facts, actor: actor)
    }
  }

  /// Whether the instance that was handed in is an object: there is one, whoever configures it.
  private var isGivenObject: Bool {
    (try? factory.make(injector)).map { type(of: $0 as Any) is AnyClass } ?? false
  }

  /// How deep the injector lies that keeps the instance; the deepest, if none does.
  private var keeper: Int32 { cell.kind.isKept ? injector.depth : .max }

  var facts: InjectorError.Facts {
    InjectorError.Facts(about: cell.declaration, in: injector)
  }

  private func reportingFailure<Value>(_ body: () throws -> Value) throws(InjectorError) -> Value {
    do {
      return try body()
    } catch {
      throw InjectorError(reporting: error, about: cell.declaration, in: injector)
    }
  }
}
