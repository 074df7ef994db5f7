import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The `ThreadContext` slot of each thread.
///
/// Soundness: the slot holds a `+1` reference that only its own thread reads and writes; the destructor gives it back
/// when the thread ends. The slot is empty again before the destructor runs, so a late reader makes a new context.
@usableFromInline
enum ThreadLocalContext {
  /// The key, plus one; 0 before it has been made. Unlike a lazy global, reading it is a plain load.
  private static let published = Atomic<UInt>(0)

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let status = unsafe pthread_key_create(&key) { pointer in
      let pointer: UnsafeMutableRawPointer? = unsafe pointer
      guard let pointer = unsafe pointer else { return }
      unsafe Unmanaged<ThreadContext>.fromOpaque(pointer).takeRetainedValue().discharge()
    }
    guard status == 0 else { fatalError("Plug needs one thread-specific key, and the system has none left.") }
    published.store(UInt(key) + 1, ordering: .releasing)
    return key
  }()

  /// The context of the calling thread, which keeps it until it ends.
  @usableFromInline
  static var context: Unmanaged<ThreadContext> {
    let published = published.load(ordering: .acquiring)
    if published != 0, let pointer = unsafe pthread_getspecific(pthread_key_t(truncatingIfNeeded: published - 1)) {
      return unsafe Unmanaged.fromOpaque(pointer)
    }
    return unsafe makeContext()
  }

  @inline(never)
  private static func makeContext() -> Unmanaged<ThreadContext> {
    let context = ThreadContext()
    context.enlist()
    let reference = unsafe Unmanaged.passRetained(context)
    unsafe pthread_setspecific(key, reference.toOpaque())
    return unsafe reference
  }
}
