/// The candidates that have been chosen last.
package struct SelectionLog: ~Copyable, Sendable {
  /// One choice.
  package struct Entry: Sendable {
    /// The service, and the injector that was asked.
    package let service: String
    package let injector: String?

    /// The id of the candidate.
    package let candidate: String

    /// Says why; evaluates the rules once more.
    package let explain: @Sendable () -> Explanation
  }

  /// How many are kept.
  package static let limit = 16

  private let state = Guarded<[Entry]>([])

  /// From the first to the last.
  package var entries: [Entry] { state.withLock { $0.map(\.self) } }

  func add(_ entry: Entry) {
    let oldest = state.withLock { entries -> Entry? in
      entries.append(entry)
      return entries.count > Self.limit ? entries.removeFirst() : nil
    }
    withExtendedLifetime(oldest) {}
  }
}

extension Injector {
  /// Logs a choice for the isolated test that the calling task is in.
  func logSelection(
    of candidate: String, for declaration: Declaration, _ explain: @escaping @Sendable () -> Explanation
  ) {
    Sandbox.current?.selections.add(
      SelectionLog.Entry(service: declaration.name, injector: path, candidate: candidate, explain: explain))
  }
}
