/// Which thread waits for which attempt, over all injectors.
///
/// A thread comes here only when it meets an attempt that has not finished. Before it sleeps it follows the waits
/// of the owners; a walk that leads back to itself is a circular dependency, and then it throws instead.
enum WaitGraph {
  /// Guards every `ThreadContext.waitingFor` and the state of every `PublicationGroup`.
  static let lock = Guarded(())

  private enum Decision {
    case over
    case early
    case failed(InjectorError)
    case cycle([ResolutionStep])
    case asleep
    case again
  }

  /// Waits until the attempt has something for this thread.
  ///
  /// - Returns: Whether the instance has to be taken from the attempt, because it is not published yet; else it is
  ///   the cell's, or there is none, and the caller may make it. Only a thread that is itself constructing gets it so
  ///   early; its session then needs the publication group.
  static func join(
    _ attempt: Attempt, as context: ThreadContext, in injector: Injector
  ) throws(InjectorError) -> Bool {
    while true {
      switch decide(attempt, context) {
      case .over: return false
      case .early: return true
      case .failed(let error): throw error
      case .cycle(let steps):
        throw .circularDependency(
          InjectorError.Facts(about: (steps.last ?? attempt.step).declaration, in: injector),
          path: steps.map(\.declaration.name))
      case .asleep: context.parker.park()
      case .again: continue
      }
    }
  }

  private static func decide(_ attempt: Attempt, _ context: ThreadContext) -> Decision {
    lock.withLock { _ in
      context.waitingFor = nil
      let isAsMet: (Attempt.Phase) -> Bool
      switch attempt.phase {
      case .finished(nil), .abandoned: return .over
      case .finished(let error?): return .failed(error)
      case .constructed(let publicationGroup):
        if context.isNested, publicationGroup.admit(context) { return .early }
        isAsMet = { if case .constructed = $0 { true } else { false } }
      case .constructing:
        if let steps = cycle(through: attempt, to: context) { return .cycle(steps) }
        isAsMet = { if case .constructing = $0 { true } else { false } }
      }
      guard attempt.enroll(context, while: isAsMet) else { return .again }
      context.waitingFor = attempt
      return .asleep
    }
  }

  /// The steps from the wanted one to the calling thread's innermost and back to the wanted one, if waiting would never
  /// end.
  private static func cycle(through wanted: Attempt, to context: ThreadContext) -> [ResolutionStep]? {
    var steps: [ResolutionStep] = []
    var next = wanted
    while case .constructing = next.phase {
      let owner = next.owner
      if owner !== context, owner.waitingFor == nil { return nil }
      steps += next.steps
      guard owner !== context, let further = owner.waitingFor else { return steps + [steps.first ?? wanted.step] }
      next = further
    }
    return nil
  }
}
