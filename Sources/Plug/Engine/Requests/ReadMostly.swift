import Synchronization

/// A value that is read often and replaced seldom: any thread reads it without a lock.
///
/// It stands where the threads of a server would share a lock in each request. A `Mutex` that is contended on Linux is
/// handed by the kernel to the thread that has waited longest, so that each of them waits for a processor each time.
///
/// Soundness of the unchecked conformance: `current` is `nil` or a version that is retained for it, and no version
/// changes. A reader retains the version while it is marked as looking. A writer releases what it has replaced when
/// nobody can be looking at it any more, see `ReadCopyUpdate`; it retains what it wants to replace, so that no other
/// version has that address meanwhile. The last one is released with the owner, which nobody can be reading then.
@safe
struct ReadMostly<Value: Sendable>: ~Copyable, @unchecked Sendable {
  private final class Version: Sendable {
    let value: Value

    init(_ value: Value) {
      self.value = value
    }
  }

  private let current = unsafe Atomic<Unmanaged<Version>?>(nil)

  deinit { unsafe current.load(ordering: .acquiring)?.release() }

  /// The value; `nil` until it is set for the first time.
  var value: Value? { version?.value }

  /// Looks at the value, if it has been set, without a copy of it.
  func read(_ look: (Value) -> Void) {
    if let version { look(version.value) }
  }

  private var version: Version? {
    guard unsafe current.load(ordering: .relaxed) != nil else { return nil }
    let version = unsafe ReadCopyUpdate.read { unsafe current.load(ordering: .sequentiallyConsistent)?.retain() }
    return unsafe version?.takeRetainedValue()
  }

  /// Replaces the value.
  ///
  /// - Parameters:
  ///   - initial: What is replaced at the first time.
  ///   - change: Makes the new value of the old one. It runs again if another thread was faster.
  func update<Result>(from initial: Value, _ change: (inout Value) -> Result) -> Result {
    while true {
      let old = version
      var value = old?.value ?? initial
      let result = change(&value)
      let new = unsafe Unmanaged.passRetained(Version(value))
      let expected = unsafe old.map { unsafe Unmanaged.passUnretained($0) }
      if unsafe current.compareExchange(expected: expected, desired: new, ordering: .sequentiallyConsistent).exchanged {
        ReadCopyUpdate.waitForReaders()
        unsafe expected?.release()
        return result
      }
      unsafe new.release()
    }
  }
}
