import Synchronization

/// What is made while an injector starts, so that it can be given up if that fails.
final class Startup: Sendable {
  @TaskLocal private static var inherited: Startup?

  /// How many are under way: while none is, nobody reads the task-local value.
  private static let count = Atomic(0)

  /// The start that the calling code belongs to.
  static var current: Startup? {
    count.load(ordering: .relaxed) == 0 ? nil : inherited
  }

  /// An instance that has been made, in order of construction.
  private struct Made {
    let cell: AnyEntry
    let injector: Injector
  }

  private struct State {
    var made: [Made] = []
    var loads: [Loading] = []
    var isOver = false
  }

  /// How long each load may take, where its injection does not say.
  let deadline: Deadline

  private let state = Guarded(State())

  init(_ deadline: Deadline) {
    self.deadline = deadline
  }

  /// Runs the start.
  func run<Result>(_ work: () async -> Result) async -> Result {
    Self.count.add(1, ordering: .relaxed)
    defer { Self.count.subtract(1, ordering: .relaxed) }
    return await Self.$inherited.withValue(self, operation: work)
  }

  /// Notes an instance that the start has made.
  func note(_ cell: AnyEntry, in injector: Injector) {
    state.withLock { if !$0.isOver { $0.made.append(Made(cell: cell, injector: injector)) } }
  }

  /// Notes a load that the start has begun.
  func note(_ loading: Loading) {
    state.withLock { if !$0.isOver { $0.loads.append(loading) } }
  }

  /// Gives up what has been made, the last first.
  func giveUp() async {
    var made = await end()
    for (_, made) in Dictionary(grouping: made, by: { ObjectIdentifier($0.injector) }) {
      made[0].injector.renew(Set(made.map { ObjectIdentifier($0.cell) }))
    }
    while let last = made.popLast() { _ = await Closings([last.cell], of: last.injector).run(deadline) }
  }

  /// Waits for what goes on though nobody waits for it any more.
  ///
  /// - Returns: What has been made.
  private func end() async -> [Made] {
    for loading in state.withLock({ $0.loads }) {
      if let abandoned = loading.abandonedTask { _ = await deadline.run { await abandoned.value } }
    }
    return state.withLock { state in
      defer { state = State(isOver: true) }
      return state.made
    }
  }
}
