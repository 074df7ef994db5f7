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

/// Lets other threads go first.
func yieldThread() {
  sched_yield()
}

/// The value of a variable of the program's environment.
func environmentVariable(_ name: String) -> String? {
  unsafe getenv(name).map { unsafe String(cString: $0) }
}

/// Writes a text to standard error, with a line feed.
func printError(_ text: String) {
  var bytes = Array((text + "\n").utf8)[...]
  while !bytes.isEmpty {
    let count = unsafe bytes.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    if count <= 0 { return }
    bytes = bytes.dropFirst(count)
  }
}

/// Whether the program runs tests, as far as its name and its environment tell: of XCTest or Swift Testing.
var isTestProcess: Bool {
  let program = CommandLine.arguments.first ?? ""
  return program.contains("xctest") || program.contains("swiftpm-testing-helper")
    || environmentVariable("XCTestConfigurationFilePath") != nil
}

/// How far the stack of a thread may still grow.
struct StackBounds {
  /// A local variable above it tells that a resolution may go one level deeper. Under AddressSanitizer no address is.
  let limit: UInt

  /// The lowest address on the stack at which it may.
  private let lowest: UInt

  /// The bounds of the calling thread.
  ///
  /// A quarter of the stack is left to the factory that runs at the deepest level: at most 256 KiB, and at least 40 KiB,
  /// because an error takes up to 32 KiB without optimization when it is the first. Where the system does not tell the
  /// size, 256 KiB below the caller are taken as safe.
  init() {
    if let (low, size) = Self.lowestAddressAndSize() {
      lowest = low + min(256 * 1024, max(40 * 1024, size / 4))
    } else {
      var here = 0
      lowest = unsafe Sanitizer.realAddress(withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }) - 256 * 1024
    }
    limit = Sanitizer.movesLocals ? .max : lowest
  }

  /// Whether there is room at a local variable that AddressSanitizer may have moved.
  @inline(never)
  func hasRoomBehindSanitizer(_ address: UInt) -> Bool {
    Sanitizer.movesLocals && Sanitizer.realAddress(address) > lowest
  }

  #if canImport(Darwin)
    private static func lowestAddressAndSize() -> (UInt, UInt)? {
      let size = UInt(pthread_get_stacksize_np(pthread_self()))
      return unsafe (UInt(bitPattern: pthread_get_stackaddr_np(pthread_self())) - size, size)
    }
  #else
    private typealias GetAttributes = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> Int32

    /// Asks `pthread_getattr_np`, which glibc and musl have and their Swift modules do not show.
    ///
    /// Soundness: the cast gives the symbol the signature of its manual page, pthread_getattr_np(3).
    private static func lowestAddressAndSize() -> (UInt, UInt)? {
      guard let symbol = unsafe dlsym(nil, "pthread_getattr_np") else { return nil }
      let getAttributes = unsafe unsafeBitCast(symbol, to: GetAttributes.self)
      var attributes = pthread_attr_t()
      guard unsafe getAttributes(pthread_self(), &attributes) == 0 else { return nil }
      defer { unsafe pthread_attr_destroy(&attributes) }
      var address: UnsafeMutableRawPointer?
      var size = 0
      guard unsafe pthread_attr_getstack(&attributes, &address, &size) == 0, let address = unsafe address else {
        return nil
      }
      return (UInt(bitPattern: address), UInt(size))
    }
  #endif
}

/// Lets one thread sleep until another wakes it; a wake-up that comes first is kept.
///
/// Soundness: both primitives live at stable addresses from `init` to `deinit`, and `isAwake` is read and written under
/// the mutex only.
@safe final class Parker: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var isAwake = false

  init() {
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(condition, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  func park() {
    unsafe pthread_mutex_lock(mutex)
    while !isAwake { unsafe pthread_cond_wait(condition, mutex) }
    isAwake = false
    unsafe pthread_mutex_unlock(mutex)
  }

  func unpark() {
    unsafe pthread_mutex_lock(mutex)
    isAwake = true
    unsafe pthread_cond_signal(condition)
    unsafe pthread_mutex_unlock(mutex)
  }
}
