import Plug

/// Records the requests of closures while they run.
final class Recording: DependencyHooks {
  /// The runs in progress on each thread and in each load, the innermost last.
  private let runs = Guarded<[UInt: [Run]]>([:])

  /// The keys that any code has requested.
  private let asked = Guarded<Set<Key>>([])
  var askedKeys: Set<Key> { asked.withLock { $0 } }

  /// A copy of an injector begins a recording of its own.
  func copy(for injector: Injector) -> Recording? { Recording() }

  func note(_ event: KernelEvent, in injector: Injector) {
    switch event {
    case .running(let registration, let isConfiguring):
      guard let current = Injector.running else { return }
      let run = Run(registration, in: injector, isConfiguring: isConfiguring)
      runs.withLock { $0[current.work, default: []].append(run) }
    case .answered(let request, let error):
      asked.withLock { _ = $0.insert(request.key) }
      // A closure that ends although a request has failed does without the service.
      guard error == nil, let current = Injector.running, let run = runs.withLock({ $0[current.work]?.last }),
        run.registration === current.registration, run.isConfiguring == current.isConfiguring
      else { return }
      run.note(request, by: injector)
    case .ran(let registration, let isConfiguring, let duration):
      guard let current = Injector.running else { return }
      let run = runs.withLock { runs -> Run? in
        guard let last = runs[current.work]?.last, last.registration === registration,
          last.isConfiguring == isConfiguring
        else { return nil }
        runs[current.work]?.removeLast()
        if runs[current.work]?.isEmpty == true { runs[current.work] = nil }
        return last
      }
      guard let run, duration != nil else { return }
      let record = registration.attachment(Record.self) { Record() }
      record.add(run.needs.withLock { $0 }, isConfiguring: isConfiguring)
    }
  }

  func knowledge(of registration: Registration) -> Knowledge? {
    registration.attachment(Record.self)?.knowledge(of: registration)
  }
}

/// One run of a factory or a configuration.
private final class Run: Sendable {
  let registration: Registration
  /// The injector that the closure receives.
  let injector: Injector
  let isConfiguring: Bool
  let needs = Guarded(RunNeeds())

  init(_ registration: Registration, in injector: Injector, isConfiguring: Bool) {
    (self.registration, self.injector, self.isConfiguring) = (registration, injector, isConfiguring)
  }

  /// Notes a request, unless its injector is unrelated to the one that the closure receives.
  func note(_ request: Request, by asked: Injector) {
    guard let receiver = receiver(of: asked) else { return }
    let depth = asked.foundCell(of: request.key)?.registration.depth
    let need = Need(request, isConfiguring ? .configured : .recorded, to: receiver, depth: depth)
    needs.withLock { $0.add(need) }
  }

  private func receiver(of asked: Injector) -> Need.Receiver? {
    if asked === injector { return .handed }
    if injector.levels.contains(where: { $0 === asked }) { return .outer(asked.depth) }
    return asked.levels.contains { $0 === injector } ? .scope : nil
  }
}

/// The requests of one run, each once, in the order in which they were first made.
private struct RunNeeds: Sendable {
  private(set) var needs: [Need] = []
  private var known: Set<Need> = []

  mutating func add(_ need: Need) {
    if known.insert(need).inserted { needs.append(need) }
  }
}

/// The requests of a factory and its configurations in successful runs.
private final class Record: Sendable {
  private static let limit = 100

  private struct State: Sendable {
    var needs: [Need] = []
    var known: Set<Need> = []
    var runs = 0
    var configurations = 0
  }

  private let state = Guarded(State())

  /// Adds the requests of a run. Only the first runs count, up to the limit.
  func add(_ run: RunNeeds, isConfiguring: Bool) {
    let needs = run.needs
    state.withLock { state in
      if isConfiguring { state.configurations += 1 } else { state.runs += 1 }
      if (isConfiguring ? state.configurations : state.runs) > Self.limit { return }
      for need in needs where state.known.insert(need).inserted { state.needs.append(need) }
    }
  }

  func knowledge(of registration: Registration) -> Knowledge {
    let (recorded, hasRun, hasConfigured) = state.withLock { ($0.needs, $0.runs > 0, $0.configurations > 0) }
    var knowledge = registration.knowledge
    knowledge.hiding.removeAll { $0 == Knowledge.configuration ? hasConfigured : hasRun }
    let keys = Set(knowledge.needs.map(\.key))
    if case .declared = registration.needs {
      // Only a run shows how a declared service is requested; until then a context may be given.
      var shown = recorded.filter { $0.origin == .recorded && keys.contains($0.key) }
      for index in shown.indices { shown[index].origin = .declared }
      let shownKeys = Set(shown.map(\.key))
      knowledge.needs = shown + knowledge.needs.filter { !shownKeys.contains($0.key) }
    }
    knowledge.needs += recorded.filter { $0.origin == .configured || !keys.contains($0.key) }
    return knowledge
  }
}
