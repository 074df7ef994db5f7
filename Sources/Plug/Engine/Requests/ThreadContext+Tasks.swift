extension ThreadContext {
  /// Whether nothing is being made, chosen or observed here.
  var isUnused: Bool { isIdle && depth == 0 && observing == 0 && explanations == 0 }

  /// Whether an injector has been created in the current session.
  func hasCreated(_ injector: Injector) -> Bool {
    let first = sessionEnd.moment
    return first != 0 && injector.identity.thread == number && injector.identity.moment >= first
  }

  /// How many tasks may run on a thread, one inside of the other, each until it waits for the first time.
  private static let immediateLimit = 16

  /// Starts a task, which runs on the calling thread until it waits for the first time: nobody else is needed then, and
  /// what it does may be over before this returns. If the thread is making something, which the task has nothing to do
  /// with, it runs elsewhere.
  static func startTask(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    let context = current
    guard context.isUnused, context.immediateTasks < immediateLimit,
      #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    else { return Task { await operation() } }
    context.immediateTasks += 1
    defer { context.immediateTasks -= 1 }
    return Task.immediate { await operation() }
  }
}
