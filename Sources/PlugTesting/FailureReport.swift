import Plug
import Synchronization
import Testing

/// The attachment of a failing test: its last selections, and the reasons for them.
final class FailureReport: Sendable {
  @TaskLocal private static var current: FailureReport?

  private let outer: FailureReport?
  private let isNeeded = Atomic(false)
  private let isAttached = Atomic(false)

  private init(inside outer: FailureReport?) {
    self.outer = outer
  }

  /// Runs a test, and attaches the report if an issue is recorded. Of nested isolations, only the innermost attaches
  /// one.
  static func attaching(
    to test: Test, _ testCase: Test.Case?, of selections: SelectionLog, _ function: @Sendable () async throws -> Void
  ) async throws {
    let report = FailureReport(inside: current)
    let watch: IssueHandlingTrait = .compactMapIssues { issue in
      if issue.isFailure { report.isNeeded.store(true, ordering: .relaxed) }
      return issue
    }
    defer { report.attach(selections) }
    try await $current.withValue(report) {
      try await watch.provideScope(for: test, testCase: testCase) {
        do {
          try await function()
        } catch {
          report.isNeeded.store(true, ordering: .relaxed)
          throw error
        }
      }
    }
  }

  private func attach(_ selections: SelectionLog) {
    guard isNeeded.load(ordering: .relaxed), !isAttached.load(ordering: .relaxed) else { return }
    for report in sequence(first: self, next: \.outer) { report.isAttached.store(true, ordering: .relaxed) }
    let text = selections.text
    if !text.isEmpty { Attachment.record(text + "\n", named: "Injectors.txt") }
  }
}
