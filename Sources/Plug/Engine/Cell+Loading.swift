extension Cell {
  /// Loads the shared instance, together with all who want it now.
  func loadShared(for injector: Injector, by way: [Step]) async throws(InjectorError) {
    guard let loading = state.loading else { return }
    let facts = InjectorError.Facts(about: subject, in: injector)
    if Task.isCancelled { throw .cancelled(facts) }
    let asking = LoadContext.current
    if let asking, let path = LoadGraph.begin(asking, for: loading, (way + [self]).map(\.subject.name)) {
      throw .circularDependency(facts, path: path)
    }
    defer { if let asking { LoadGraph.end(asking, for: loading) } }
    switch await loading.join({ await self.attempt(loading, for: injector, by: way) }) {
    case .loaded: break
    case .failed(let error): throw error
    case .cancelled: throw .cancelled(facts)
    }
  }

  /// Makes the instance, unless an earlier attempt has.
  ///
  /// - Returns: What went wrong.
  private func attempt(_ loading: Loading, for injector: Injector, by way: [Step]) async -> InjectorError? {
    if existing != nil { return nil }
    let recipe = Recipe(cell: self, injector: injector)
    guard injector.beginLoading(loading) else { return .scopeClosed(recipe.facts) }
    defer { injector.endLoading(loading) }
    Startup.current?.note(loading)
    let context = LoadContext(self, loading, way: way, in: injector, isRecording: recipe.isRecording)
    let deadline = (Startup.current?.deadline ?? Deadline()).limited(limits.loading)
    let trace = injector.constructionTrace(subject)
    let result = await deadline.run { await context.run { await recipe.load() } }
    do throws(InjectorError) {
      guard let result else { throw .timedOut(recipe.facts, after: deadline.limit ?? .zero) }
      try await complete(Recipe(cell: self, injector: injector, loaded: try result.get()))
      trace?.end()
      return nil
    } catch {
      return error
    }
  }

  /// Configures what has been made, and makes it the one that everyone gets.
  private func complete(_ recipe: Recipe<Service>) async throws(InjectorError) {
    let result: Result<Void, InjectorError>
    if factory.isolation == .mainActor {
      result = await MainActor.run { self.publish(recipe) }
    } else {
      result = publish(recipe)
    }
    try result.get()
  }

  private func publish(_ recipe: Recipe<Service>) -> Result<Void, InjectorError> {
    let context = ThreadContext.current
    return Result { () throws(InjectorError) in
      try context.session { () throws(InjectorError) in _ = try shared(recipe, context) }
    }
  }
}

extension Recipe {
  /// Runs the asynchronous closure, after what it is known to need.
  fileprivate func load() async -> Result<Service, InjectorError> {
    do {
      switch cell.factory.knowledge {
      case .wired(let keys), .declared(let keys): try await injector.prepare(keys)
      case .none, .opaque, .absent: break
      }
      guard let loader = cell.factory.extras?.loader else { return .failure(.notLoaded(facts)) }
      return .success(try await loader.run(injector))
    } catch {
      return .failure(InjectorError(reporting: error, about: cell.subject, in: injector))
    }
  }
}
