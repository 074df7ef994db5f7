/// One start of an injector: what it makes, so that this can be given up if it fails.
final class Startup: Sendable {
  private static let inherited = Inherited<Startup>()

  /// The start that the calling code belongs to. A task may go on that has it; then it does not count any more.
  static var current: Startup? {
    guard let startup = inherited.value, startup.injector != nil else { return nil }
    return startup
  }

  /// Whether the calling code may belong to one.
  static var isUnderWay: Bool { inherited.isUsed }

  private struct State {
    /// The injector that starts; `nil` when it is over.
    var injector: Injector?
    /// The instances that the injector keeps, in order of construction.
    var made: [any EntryPart] = []
    var loads: [Loading] = []
  }

  /// How long each load may take, where its injection does not say.
  let deadline: Deadline

  private let state: Guarded<State>

  var injector: Injector? { state.withLock { $0.injector } }

  init(of injector: Injector, _ deadline: Deadline) {
    state = Guarded(State(injector: injector))
    self.deadline = deadline
  }

  /// Makes shared instances; if that fails, what has been made is given up, the last first.
  ///
  /// - Returns: What went wrong.
  func run(_ cells: [any LoadableCell], in injector: Injector) async -> InjectorError? {
    let failure = await Self.inherited.withValue(self) { () -> InjectorError? in
      let failure = await injector.makeAll(cells)
      if failure != nil { await waitForLoads() }
      return failure
    }
    let made = state.withLock { state in
      defer { state = State() }
      return state.made
    }
    if failure != nil { await giveUp(made, of: injector) }
    return failure
  }

  /// Notes an instance that the start has made.
  func note(_ cell: any EntryPart, in injector: Injector) {
    state.withLock { if $0.injector === injector { $0.made.append(cell) } }
  }

  /// Notes a load that the start is going to wait for.
  func note(_ loading: Loading) {
    state.withLock { if $0.injector != nil { $0.loads.append(loading) } }
  }

  /// Waits for what goes on though nobody waits for it any more.
  private func waitForLoads() async {
    while case let loads = state.withLock({ $0.loads.map(\.self) }), !loads.isEmpty {
      for load in loads {
        guard let abandoned = load.abandonedAttempt else { continue }
        // One that itself waits for this start ends later.
        _ = try? await TaskGraph.shared.wait(for: load, [load.declaration.name]) {
          await deadline.run { await load.waitForEnd(of: abandoned) }
        }
      }
      state.withLock { $0.loads.removeFirst(loads.count) }
    }
  }

  /// Gives up what the injector still keeps, but for what others have waited for too, and for what has been made before
  /// that, since it may be made from it.
  private func giveUp(_ made: [any EntryPart], of injector: Injector) async {
    let own = made.lastIndex { $0.loadable?.isShared == true }.map { made[($0 + 1)...] } ?? made[...]
    var kept = injector.renew(Array(own))
    do throws(TaskGraph.Circle) {
      try await TaskGraph.shared.wait(for: injector.closingIdentity, [injector.closingName]) {
        while let last = kept.popLast() { _ = await CloseQueue([last], of: injector).run(deadline) }
      }
    } catch {
      // What is closed there waits for the one who starts.
      injector.close(kept)
    }
  }
}
