/// Which thread waits for which attempt, over all injectors.
///
/// A thread comes here only when it meets an attempt that has not finished, or has to wait for the configurations of
/// others. Before it sleeps it follows the waits of the owners. A walk that leads back to itself through what is being
/// made is a circular dependency, and then it throws instead. One that leads through what has been made, and only has
/// to be configured, is none: then one who waits for an optional attempt goes on without it.
enum WaitGraph {
  /// Guards every `ThreadContext.waitingFor` and the state of every `PublicationGroup`.
  static let lock = Guarded(())

  /// What a thread sleeps for.
  enum Wait {
    case construction(by: Attempt)
    case publication(by: Attempt)
    case configurations(of: PublicationGroup)

    /// The thread that ends it; `nil` if it has ended, although who has slept for it may not know that yet.
    var owner: ThreadContext? {
      switch self {
      case .construction(let attempt): if case .constructing = attempt.phase { attempt.owner } else { nil }
      case .publication(let attempt): if case .constructed = attempt.phase { attempt.owner } else { nil }
      case .configurations(let publicationGroup): publicationGroup.configurer
      }
    }

    /// What is being made; nothing if that has been made, and only has to be configured.
    var attempt: Attempt? { if case .construction(let attempt) = self { attempt } else { nil } }
  }

  /// How it ends that one waits for an attempt.
  enum End {
    /// The instance is the cell's, or there is none, and the caller may make it.
    case over
    /// The instance has to be taken from the attempt, because it is not published yet. Only a thread that is itself
    /// constructing gets it so early; its session then needs the publication group.
    case early
    /// Waiting for what is optional would never end.
    case alone
  }

  private enum Decision {
    case ended(End)
    case failed(InjectorError)
    case cycle([ResolutionStep])
    case asleep(released: ThreadContext?)
    case again
  }

  /// Waits until the attempt has something for this thread.
  static func join(
    _ attempt: Attempt, as context: ThreadContext, in injector: Injector
  ) throws(InjectorError) -> End {
    while true {
      switch decide(attempt, context) {
      case .ended(let end): return end
      case .failed(let error): throw error
      case .cycle(let steps):
        throw .circularDependency(
          InjectorError.Facts(about: (steps.last ?? attempt.step).declaration, in: injector),
          path: steps.map(\.declaration.name))
      case .asleep(let released):
        released?.parker.unpark()
        context.parker.park()
      case .again: continue
      }
    }
  }

  private static func decide(_ attempt: Attempt, _ context: ThreadContext) -> Decision {
    lock.withLock { _ in
      context.waitingFor = nil
      let wait: Wait
      let isAsMet: (Attempt.Phase) -> Bool
      switch attempt.phase {
      case .finished(nil), .abandoned: return .ended(.over)
      case .finished(let error?): return .failed(error)
      case .constructed(let publicationGroup):
        if context.isNested, publicationGroup.admit(context) { return .ended(.early) }
        wait = .publication(by: attempt)
        isAsMet = { if case .constructed = $0 { true } else { false } }
      case .constructing:
        wait = .construction(by: attempt)
        isAsMet = { if case .constructing = $0 { true } else { false } }
      }
      let waits = circle(from: wait, to: context)
      let attempts = waits.compactMap(\.attempt)
      if !waits.isEmpty, attempts.count == waits.count {
        let steps = attempts.flatMap(\.steps)
        return .cycle(steps + [steps.first ?? attempt.step])
      }
      if !waits.isEmpty, attempt.isOptional { return .ended(.alone) }
      guard attempt.enroll(context, while: isAsMet) else { return .again }
      return .asleep(released: note(wait, closing: waits, as: context))
    }
  }

  /// Notes what a thread is about to sleep for. For one who holds the lock.
  ///
  /// If that closes a circle, somebody in it waits for what has been made to be published, and so makes nothing that
  /// has a cell. Whoever waits for that thread waits for an optional attempt of it.
  ///
  /// - Returns: That other, to be woken: it goes on alone.
  static func note(_ wait: Wait, as context: ThreadContext) -> ThreadContext? {
    note(wait, closing: circle(from: wait, to: context), as: context)
  }

  private static func note(_ wait: Wait, closing waits: [Wait], as context: ThreadContext) -> ThreadContext? {
    context.waitingFor = wait
    let isOptional = { (index: Int) in waits[index].attempt?.isOptional == true }
    guard let index = waits.indices.dropFirst().first(where: isOptional) else { return nil }
    let released = waits[index - 1].owner
    released?.waitingFor = nil
    return released
  }

  /// The waits that lead from one to the calling thread: the first itself, then that of its owner, and so on. Empty if
  /// they do not.
  private static func circle(from wait: Wait, to context: ThreadContext) -> [Wait] {
    var (waits, next) = ([wait], wait.owner)
    while let owner = next, owner !== context {
      guard let further = owner.waitingFor else { return [] }
      waits.append(further)
      next = further.owner
    }
    return next == nil ? [] : waits
  }
}
