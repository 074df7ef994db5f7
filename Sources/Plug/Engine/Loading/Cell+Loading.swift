extension Cell: LoadableCell {
  var isAsynchronous: Bool { factory.isLoaded }
  var isEarly: Bool { factory.isLoaded || factory.extras?.isEager == true }
  var isShared: Bool { existingState?.loading?.isShared ?? false }

  func prepare(for injector: Injector) async throws(InjectorError) {
    if !kind.isKept || hasInstance { return }
    guard let health else { return try await prepared(for: injector) }
    guard let ticket = health.admit() else { return }
    do throws(InjectorError) {
      try await prepared(for: injector)
      ticket.succeed()
    } catch {
      ticket.fail(error)
      if !error.isFailureOfCandidate { throw error }
      injector.reportFailure(of: declaration, error)
    }
  }

  private func prepared(for injector: Injector) async throws(InjectorError) {
    do throws(InjectorError) {
      _ = try await injector.answering { injector throws(InjectorError) in try self.instance(for: injector) }
    } catch {
      if case .notRegistered = error, isReplaced { return }
      throw error
    }
  }

  /// Nothing is made of what each scope registers itself.
  func rehearse(for injector: Injector, with arguments: [any Sendable]) async throws(InjectorError) -> String? {
    if case .absent = knowledge { return nil }
    _ = try await injector.answering { injector throws(InjectorError) in try self.instance(for: injector) }
    return nil
  }

  func load(for injector: Injector, by way: [ResolutionStep]) async throws(InjectorError) {
    guard let loading = state.loading else { return }
    var facts: InjectorError.Facts { InjectorError.Facts(about: declaration, in: injector, by: way) }
    if Task.isCancelled { throw .cancelled(facts) }
    if let load = LoadContext.current, load.level >= LoadContext.levelLimit {
      let facts = facts
      throw .depthExceeded(facts.exceeding(.rounds), depth: facts.chain.count)
    }
    let startup = Startup.current
    startup?.note(loading)
    let deadline = (startup?.deadline ?? Deadline()).limited(limits.loading)
    let outcome: LoadingState.Outcome
    do throws(TaskGraph.Circle) {
      outcome = try await TaskGraph.shared.wait(for: loading, (way + [self]).map(\.declaration.name)) {
        await loading.join(deadline, from: startup) { await self.attempt(loading, for: injector, by: way) }
      }
    } catch {
      throw .circularDependency(error.hasClosing ? facts.waitingForClosing : facts, path: error.path)
    }
    switch outcome {
    case .loaded: break
    case .failed(let error): throw error
    case .cancelled: throw .cancelled(facts)
    case .timedOut: throw .timedOut(facts, after: deadline.limit ?? .zero)
    }
  }

  /// Makes the instance, unless an earlier attempt has.
  ///
  /// - Returns: What went wrong.
  private func attempt(_ loading: Loading, for injector: Injector, by way: [ResolutionStep]) async -> InjectorError? {
    if hasInstance { return nil }
    var facts: InjectorError.Facts { InjectorError.Facts(about: declaration, in: injector, by: way) }
    if Task.isCancelled { return .cancelled(facts) }
    while !beginLoad() {
      do throws(InjectorError) {
        // Whoever waits asks again then, and comes to what has taken the place of this.
        if try injector.successor(of: self) !== self { return nil }
      } catch {
        return error
      }
    }
    defer { endLoad() }
    guard injector.beginLoading(loading) else { return injector.closed(facts) }
    defer { injector.endLoading(loading) }
    let record = makeRecord(in: injector)
    let context = LoadContext(self, loading, way: way, in: injector, record: record)
    let trace = injector.constructionTrace(declaration)
    let failure = await context.run { await Recipe(cell: self, injector: injector).load(record) }
    if failure == nil { trace?.end() }
    return failure == nil || !injector.registrations.isClosed ? failure : injector.closed(facts)
  }
}

extension Recipe {
  /// Makes the instance asynchronously, after what it is known to need, and makes it the one that everyone gets.
  ///
  /// - Returns: What went wrong.
  fileprivate func load(_ record: RunRecord?) async -> InjectorError? {
    let loaded: Service
    do {
      switch cell.factory.knowledge {
      case .wired(let keys), .declared(let keys): try await injector.prepare(keys)
      case .none, .opaque, .absent: break
      }
      guard let loader = cell.factory.extras?.loader else { return .notLoaded(facts) }
      loaded = try await loader.run(injector)
    } catch {
      return InjectorError(reporting: error, about: cell.declaration, in: injector)
    }
    if cell.isPublishedAsMade(in: injector) { return cell.publish(loaded, record, in: injector) }
    let recipe = Recipe(cell: cell, injector: injector, loaded: Loaded(loaded, record))
    do throws(InjectorError) {
      // What wraps or configures it may need something that has to be loaded.
      try await injector.answering { _ throws(InjectorError) in try recipe.publish() }
      return nil
    } catch {
      if !cell.hasInstance { cell.discard(loaded, in: injector) }
      return error
    }
  }

  private func publish() throws(InjectorError) {
    let context = ThreadContext.current
    try context.session { () throws(InjectorError) in _ = try cell.shared(self, for: injector, context) }
  }
}
