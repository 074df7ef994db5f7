public import Synchronization

/// Lets threads read what others may replace at any time, without a lock and without counting references.
///
/// A thread marks its own context while it looks. Whoever has replaced something that is read like that waits, before
/// the old goes, until each thread that was looking then has looked away: read-copy-update (McKenney and Slingwine,
/// 1998). Between `begin` and `end` a thread runs no code of others and does not wait, so that this takes moments.
///
/// Soundness: the mark and whatever is published are written and read in one total order (sequentially consistent). So
/// either the writer sees the mark and waits, or the reader, whose look comes after the mark, sees what is new.
@usableFromInline
enum ReadCopyUpdate {
  /// Looks at something published. What is found may be used meanwhile, and afterwards if `body` has retained it.
  @inlinable
  @inline(__always)
  static func read<Result>(_ body: () -> Result) -> Result {
    let context = unsafe begin()
    defer { unsafe end(context) }
    return body()
  }

  /// Marks the calling thread as looking.
  @inlinable
  static func begin() -> Unmanaged<ThreadContext> {
    let context = unsafe ThreadLocalContext.context
    unsafe context._withUnsafeGuaranteedRef { context in
      context.looks.store(context.looks.load(ordering: .relaxed) &+ 1, ordering: .sequentiallyConsistent)
    }
    return unsafe context
  }

  /// Ends what `begin` has begun on this thread.
  ///
  /// The fence is more than the order of memory asks for, which a releasing store would give. The optimizer moves a
  /// retain past a store, even an atomic one, because that releases nothing; so what has just been found would be
  /// retained when it is not protected any more. It moves none past a fence, for which x86-64 has no instruction.
  @inlinable
  static func end(_ context: Unmanaged<ThreadContext>) {
    unsafe context._withUnsafeGuaranteedRef { context in
      atomicMemoryFence(ordering: .releasing)
      context.looks.store(context.looks.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    }
  }

  /// Returns when no thread can see any more what has been replaced before. Must not be called while looking.
  static func waitForReaders() {
    for context in ThreadContext.all { context.finishLook() }
  }
}

extension ThreadContext {
  /// The contexts of all threads that have one.
  fileprivate static var all: [ThreadContext] { registered.withLock { $0 } }

  /// Replaced whole, see `Guarded`.
  private static let registered = Guarded<[ThreadContext]>([])

  /// Makes the context of the calling thread known to writers.
  func enlist() {
    Self.registered.withLock { $0 = $0.adding([self]) }
  }

  /// The thread ends.
  func discharge() {
    Self.registered.withLock { contexts in contexts = contexts.filter { $0 !== self } }
  }

  /// Waits for the end of a look that is under way.
  fileprivate func finishLook() {
    let look = looks.load(ordering: .sequentiallyConsistent)
    guard look % 2 == 1 else { return }
    while looks.load(ordering: .acquiring) == look { yieldThread() }
  }
}
