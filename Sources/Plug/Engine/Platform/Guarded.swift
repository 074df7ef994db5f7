public import Synchronization

/// A value behind a lock, for short critical sections that run no code of others.
///
/// `Synchronization.Mutex` does the locking. Where it sleeps in the kernel, ThreadSanitizer cannot see the hand-over
/// and would report every contended access in a user's test run as a race; the epoch, published before each unlock and
/// read after each lock, shows it the order that the lock has established. Both are plain moves on x86-64.
///
/// Nor does it see when a copy of a collection that has left the lock is released. So such a collection is replaced
/// whole, or copied element by element under the lock: changed in place it would be reported, although that happens
/// only where nobody else has it.
@usableFromInline
package struct Guarded<Value>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<Value>
  @usableFromInline let epoch = Atomic<UInt>(0)

  @inlinable
  package init(_ value: consuming sending Value) {
    mutex = Mutex(value)
  }

  @inlinable
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

extension Array {
  /// A new array with more elements. What `+` gives may be this one, changed in place.
  func adding(_ new: [Element]) -> [Element] {
    var all: [Element] = []
    all.reserveCapacity(count + new.count)
    all += self
    all += new
    return all
  }
}
