import Synchronization
import Testing

/// The messages of the issues that a body records.
package func issues(_ body: () async throws -> Void) async rethrows -> [String] {
  let texts = Mutex<[String]>([])
  try await withKnownIssue(isIntermittent: true) {
    try await body()
  } matching: { issue in
    texts.withLock { $0.append(issue.comments.map(\.rawValue).joined()) }
    return true
  }
  return texts.withLock { $0 }
}
