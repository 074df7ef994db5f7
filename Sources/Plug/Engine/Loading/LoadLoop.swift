/// Finds out what has to be loaded before a request can be answered.
final class LoadLoop {
  struct Found {
    let cell: any LoadableCell
    let injector: Injector
    /// The steps that led to it.
    let way: [ResolutionStep]
  }

  private(set) var found: Found?

  /// What has been loaded for the request.
  private let loads: LoadedCells

  /// Those of candidates that are being tried, until what they need has been loaded.
  fileprivate private(set) var tickets: [HealthTicket]

  fileprivate init(after loads: LoadedCells) {
    self.loads = loads
    tickets = loads.tickets
  }

  func keep(_ ticket: HealthTicket) { tickets.append(ticket) }

  /// The ticket that has been kept for a candidate.
  func ticket(for health: Health) -> HealthTicket? {
    tickets.firstIndex { $0.health === health }.map { tickets.remove(at: $0) }
  }

  /// Why something could not be loaded.
  func failure(of cell: AnyEntry) -> InjectorError? { loads.failure(of: cell) }

  func note(_ cell: any LoadableCell, in injector: Injector, by way: [ResolutionStep]) {
    found = Found(cell: cell, injector: injector, way: way)
  }
}

/// How it went to answer a request.
enum LoadAnswer<Answer: Sendable>: Sendable {
  case answered(Answer)
  case failed(InjectorError)
  /// Something has to be loaded before.
  case needs(LoadLoop.Found, [HealthTicket], InjectorError)
  case needsMainActor(InjectorError)
}

/// What has been loaded for one request. Each is loaded once: what is needed again lies in a scope that the request
/// opens anew each time.
private struct LoadedCells: Sendable {
  private var cells: [(cell: AnyEntry, failure: InjectorError?)] = []
  var tickets: [HealthTicket] = []

  /// - Returns: Whether it has not been loaded for the request before.
  mutating func insert(_ cell: AnyEntry) -> Bool {
    let isNew = index(of: cell) == nil
    if isNew { cells.append((cell, nil)) }
    return isNew
  }

  /// Notes why something that has been inserted could not be loaded.
  mutating func fail(_ cell: AnyEntry, _ error: InjectorError) {
    if let index = index(of: cell) { cells[index].failure = error }
  }

  /// Takes the tickets back, because the request ends with an error.
  func givingUp(_ error: InjectorError) -> InjectorError {
    for ticket in tickets { ticket.takeBack() }
    return error
  }

  func failure(of cell: AnyEntry) -> InjectorError? { index(of: cell).flatMap { cells[$0].failure } }

  private func index(of cell: AnyEntry) -> Int? {
    cells.firstIndex { known, _ in
      known === cell
        || cell.lifetime == .scoped && known.key == cell.key
          && known.declaration.candidate == cell.declaration.candidate
    }
  }
}

extension Injector {
  typealias Answering<Answer> = @Sendable (Injector) throws(InjectorError) -> Answer

  /// Answers a request, and loads before that whatever it comes to that has to be loaded. If something is made on the
  /// main actor, that is where it is answered.
  func answering<Answer: Sendable>(
    _ answer: @escaping Answering<Answer>
  ) async throws(InjectorError) -> Answer {
    var loaded = LoadedCells()
    var isOnMainActor = false
    while true {
      let result = isOnMainActor ? await answerOnMainActor(answer, after: loaded) : self.answer(answer, after: loaded)
      switch result {
      case .answered(let answer): return answer
      case .failed(let error): throw error
      case .needsMainActor(let error):
        if isOnMainActor { throw error }
        isOnMainActor = true
      case .needs(let found, let tickets, let needed):
        loaded.tickets = tickets
        guard loaded.insert(found.cell) else { throw loaded.givingUp(needed) }
        do throws(InjectorError) {
          try await found.cell.load(for: found.injector, by: found.way)
        } catch {
          let failure = error.asked(at: needed.facts.requestedAt)
          // A choice that leads here may pass over what has failed.
          guard (found.way + [found.cell]).contains(where: \.toleratesFailure) else { throw loaded.givingUp(failure) }
          loaded.fail(found.cell, failure)
        }
      }
    }
  }

  @MainActor
  private func answerOnMainActor<Answer: Sendable>(
    _ answer: Answering<Answer>, after loads: LoadedCells
  ) -> LoadAnswer<Answer> { self.answer(answer, after: loads) }

  private func answer<Answer: Sendable>(_ answer: Answering<Answer>, after loads: LoadedCells) -> LoadAnswer<Answer> {
    let context = ThreadContext.current
    let (search, outer) = (LoadLoop(after: loads), context.loadLoop)
    context.loadLoop = search
    defer { context.loadLoop = outer }
    let result: LoadAnswer<Answer>
    do throws(InjectorError) {
      result = .answered(try answer(self))
    } catch .notLoaded(let facts) {
      if let found = search.found { return .needs(found, search.tickets, .notLoaded(facts)) }
      result = .failed(.notLoaded(facts))
    } catch .mainActorRequired(let facts) {
      result = .needsMainActor(.mainActorRequired(facts))
    } catch {
      result = .failed(error)
    }
    for ticket in search.tickets { ticket.takeBack() }
    return result
  }

  /// Makes at once what is known to be needed, as far as it is shared.
  func prepare(_ keys: [ServiceKey]) async throws(InjectorError) {
    let needed = keys.compactMap { key -> (any LoadableCell)? in
      for level in registrations.levels {
        guard let entry = level.entry(key.type, key.tag) else { continue }
        return entry.choice == nil ? overlaid(entry, registeredAt: level.depth).parts.first?.loadable : nil
      }
      return nil
    }
    if let failure = await makeAll(needed) { throw failure }
  }

  /// Makes shared instances, all at the same time, and stops at the first that fails.
  ///
  /// - Returns: What went wrong.
  func makeAll(_ cells: [any LoadableCell]) async -> InjectorError? {
    await withTaskGroup(of: InjectorError?.self) { group in
      for cell in cells {
        group.addTask {
          do throws(InjectorError) {
            try await cell.prepare(for: self)
            return nil
          } catch {
            return error
          }
        }
      }
      var first: InjectorError?
      for await failure in group where first == nil {
        first = failure
        if failure != nil { group.cancelAll() }
      }
      return first
    }
  }

  /// - Returns: `false` if the injector has been closed.
  func beginLoading(_ loading: Loading) -> Bool {
    instanceStore.withLock { store in
      if !store.isClosed { store.extras.loads.insert((), for: loading) }
      return !store.isClosed
    }
  }

  func endLoading(_ loading: Loading) {
    let ended = instanceStore.withLock { $0.known?.loads.remove(loading) }
    withExtendedLifetime(ended) {}
  }
}

extension ThreadContext {
  /// Who wants to know what has to be loaded.
  ///
  /// Soundness of the cast: nothing else sets it.
  var loadLoop: LoadLoop? {
    get { loadLoopObject.map { unsafe unsafeDowncast($0, to: LoadLoop.self) } }
    set { loadLoopObject = newValue }
  }
}
