import Foundation

/// A value behind a lock that ThreadSanitizer sees.
///
/// Soundness of the unchecked conformance: the value is touched under the lock only.
package final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  package init(_ value: sending Value) {
    self.value = value
  }

  package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body(&value)
  }
}

extension Locked where Value: Sendable {
  package var current: Value { withLock { $0 } }
}
