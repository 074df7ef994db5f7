public import Synchronization

/// A value behind a lock, for short critical sections in which no code of a user runs.
///
/// ThreadSanitizer does not see a `Mutex` that sleeps in the kernel of Linux. The epoch makes the order visible to
/// it, at the cost of two plain moves.
@usableFromInline
package struct Guarded<Value>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<Value>
  @usableFromInline let epoch = Atomic<UInt32>(0)

  @inlinable
  @inline(__always)
  package init(_ value: consuming sending Value) { mutex = Mutex(value) }

  /// Runs a closure with exclusive access to the value.
  @inlinable
  @inline(__always)
  package func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try mutex.withLock { value throws(Failure) in
      let current = epoch.load(ordering: .acquiring)
      defer { epoch.store(current &+ 1, ordering: .releasing) }
      return try body(&value)
    }
  }
}
