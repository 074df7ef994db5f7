import Plug
import PlugIsolation
import Testing

/// The locations at which code outside of any test used an injector directly while a strict test ran.
final class EscapeLog: Sendable {
  private let isolatedAt: TestLocation
  private let escapes = Guarded<Set<Escape>>([])

  init(isolatedAt: TestLocation) {
    self.isolatedAt = isolatedAt
  }

  /// Adds an escape, unless it belongs to another test, which need not be isolated.
  var add: @Sendable (() -> Escape) -> Void {
    { escape in
      guard Test.current == nil else { return }
      let escape = escape()
      self.escapes.withLock { _ = $0.insert(escape) }
    }
  }

  /// Records an issue for each escape that may belong to the test.
  func report(about sandbox: Sandbox) {
    let texts = escapes.withLock { $0 }.filter(sandbox.mayHave).map(text)
    for text in texts.sorted() { recordIssue(text, at: isolatedAt) }
  }

  private func text(_ escape: Escape) -> String {
    """
    \(escape.injector) itself was reached instead of the test's copy: this code has lost the test's isolation.
      reached at:     \(escape.location?.description ?? "(unknown)")
      isolated at:    \(isolatedAt.location)
    To fix this:
      - Use Task { … } instead of Task.detached { … }, so that the work inherits the isolation.
      - Or carry it along: let isolation = TestIsolation.current, then isolation.run { … } where the work runs.
    """
  }
}
