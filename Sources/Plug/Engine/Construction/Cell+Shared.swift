extension Cell {
  /// The shared instance.
  ///
  /// - Parameter injector: The one that is asked.
  func shared(
    _ recipe: Recipe<Service>, for injector: Injector, _ context: ThreadContext
  ) throws(InjectorError) -> Service {
    var isGone = false
    while true {
      switch try arrive(recipe, isGone: isGone, context) {
      case .exists(let service): return service
      case .mine(let attempt): return try build(attempt, recipe, context)
      case .another(let attempt):
        // The last reference to what nobody gets may go with it.
        defer { context.sessionEnd.leftovers.append(attempt) }
        do throws(InjectorError) {
          let isEarly = try WaitGraph.join(attempt, as: context, in: recipe.injector) == .early
          if let service = isEarly ? attempt.service : existing { return service }
        } catch .notLoaded, .mainActorRequired {
          // That was about the one who made it: another may know what to load, or be on the main actor.
        }
      case .elsewhere:
        guard let successor = try injector.successor(of: self) else {
          isGone = true
          continue
        }
        if successor !== self { return try successor.instance(for: injector) }
      }
    }
  }

  private enum Arrival {
    case exists(Service)
    case mine(TypedAttempt<Service>)
    case another(TypedAttempt<Service>)
    /// Another cell has taken the place of this one, or is about to.
    case elsewhere
  }

  /// Joins the attempt that is under way, or begins one; neither if the instance exists by now.
  ///
  /// - Parameter isGone: Whether the caller knows that the registration has gone, and nothing has taken its place.
  private func arrive(
    _ recipe: Recipe<Service>, isGone: Bool, _ context: ThreadContext
  ) throws(InjectorError) -> Arrival {
    let refusal = recipe.refusal(context)
    let fresh = TypedAttempt(recipe, owner: context)
    return try state.claim.withLock { claim throws(InjectorError) in
      while true {
        if claim.attempt == nil, let maker = shareMaking() { claim.attempt = TypedAttempt(recipe, owner: maker) }
        if let existing { return .exists(existing) }
        if let attempt = claim.attempt {
          return .another(unsafe unsafeDowncast(attempt, to: TypedAttempt<Service>.self))
        }
        // What has been loaded began before.
        if claim.status != .own, recipe.loaded == nil, !isGone { return .elsewhere }
        if let refusal { throw refusal }
        if !beginAttempt() { continue }
        claim.attempt = fresh
        return .mine(fresh)
      }
    }
  }

  var existing: Service? {
    if let weakInstance { return weakInstance.value }
    return unsafe instance.pointer(to: Service.self)?.pointee
  }

  private func build(
    _ attempt: TypedAttempt<Service>, _ recipe: Recipe<Service>, _ context: ThreadContext
  ) throws(InjectorError) -> Service {
    let service: Service
    do throws(InjectorError) {
      service = try recipe.make(context) { service, made in
        attempt.service = service
        if isClosable { attempt.made = made }
        recipe.deferConfigurations(of: made, context)
      }
    } catch {
      _ = attempt.finish(error, isOwn: true)
      throw error
    }
    if context.sessionEnd.isDeferring {
      context.postpone(attempt)
    } else if let failure = attempt.finish(nil, isOwn: true) {
      context.sessionEnd.leftovers.append(attempt)
      throw failure
    }
    return service
  }
}
