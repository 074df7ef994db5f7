extension Cell {
  /// Loads the shared instance, together with all who want it now.
  func loadShared(for injector: Injector, by way: [Step]) async throws(InjectorError) {
    guard let loading = state.loading else { return }
    let facts = InjectorError.Facts(about: subject, in: injector)
    if Task.isCancelled { throw .cancelled(facts) }
    let asking = LoadContext.current?.load
    if let asking {
      let names = (way + [self]).map(\.subject.name)
      if let rest = TaskGraph.ofLoads.begin(asking.loading, for: loading, names) {
        throw .circularDependency(facts, path: [asking.cell.subject.name] + rest)
      }
    }
    defer { if let asking { TaskGraph.ofLoads.end(asking.loading, for: loading) } }
    let startup = Startup.current
    startup?.note(loading)
    let deadline = (startup?.deadline ?? Deadline()).limited(limits.loading)
    switch await loading.join(deadline, from: startup, { await self.attempt(loading, for: injector, by: way) }) {
    case .loaded: break
    case .failed(let error): throw error
    case .cancelled: throw .cancelled(facts)
    case .timedOut: throw .timedOut(facts, after: deadline.limit ?? .zero)
    }
  }

  /// Makes the instance, unless an earlier attempt has.
  ///
  /// - Returns: What went wrong.
  private func attempt(_ loading: Loading, for injector: Injector, by way: [Step]) async -> InjectorError? {
    if existing != nil { return nil }
    let recipe = Recipe(cell: self, injector: injector)
    if Task.isCancelled { return .cancelled(recipe.facts) }
    guard injector.beginLoading(loading) else { return .scopeClosed(recipe.facts) }
    defer { injector.endLoading(loading) }
    let context = LoadContext(self, loading, way: way, in: injector, isRecording: recipe.isRecording)
    let trace = injector.constructionTrace(subject)
    let failure = await context.run { await recipe.load() }
    if failure == nil { trace?.end() }
    return failure == nil || !injector.registrations.isClosed ? failure : .scopeClosed(recipe.facts)
  }
}

extension Recipe {
  /// Makes the instance asynchronously, after what it is known to need, and makes it the one that everyone gets.
  ///
  /// - Returns: What went wrong.
  fileprivate func load() async -> InjectorError? {
    let loaded: Service
    do {
      switch cell.factory.knowledge {
      case .wired(let keys), .declared(let keys): try await injector.prepare(keys)
      case .none, .opaque, .absent: break
      }
      guard let loader = cell.factory.extras?.loader else { return .notLoaded(facts) }
      loaded = try await loader.run(injector)
    } catch {
      return InjectorError(reporting: error, about: cell.subject, in: injector)
    }
    let recipe = Recipe(cell: cell, injector: injector, loaded: Loaded(loaded))
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
    try context.session { () throws(InjectorError) in _ = try cell.shared(self, context) }
  }
}
