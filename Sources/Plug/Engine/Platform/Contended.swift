public import Synchronization

/// A value behind a lock that all threads of a server may want in each request.
///
/// On Linux the kernel hands a `Mutex` for which threads sleep to the one that has slept longest. Once that begins,
/// with a thread that loses its processor while it has the lock, every access costs a change of threads, and so twenty
/// times what it would, for as long as others keep coming. So they come one by one: each waits before the lock, where
/// it looks and yields, and whoever is first goes on. That wait ends after a while in any case; what protects the value
/// is the lock.
@usableFromInline
struct Contended<Value>: ~Copyable, Sendable {
  @usableFromInline let guarded: Guarded<Value>
  @usableFromInline let isTaken = Atomic(false)

  @inlinable
  init(_ value: consuming sending Value) {
    guarded = Guarded(value)
  }

  @inlinable
  func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    let isFirst = take() || waitForTurn()
    defer { if isFirst { isTaken.store(false, ordering: .releasing) } }
    return try guarded.withLock(body)
  }

  @inlinable
  func take() -> Bool { isTaken.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged }

  /// - Returns: Whether the turn has come. If not, it takes longer than any turn should.
  @usableFromInline
  @inline(never)
  func waitForTurn() -> Bool {
    #if !canImport(Darwin)
      for round in 0..<100 {
        for _ in 0..<100 where !isTaken.load(ordering: .relaxed) {
          if take() { return true }
        }
        if round > 2 { yieldThread() }
      }
    #endif
    return false
  }
}
