import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The slot in which each thread keeps its `ResolutionStack`.
///
/// Soundness: the slot holds a `+1` reference that only its own thread reads and writes. The key's destructor
/// releases it when the thread ends.
enum ThreadSlot {
  private static let published = Atomic<UInt>(0)

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let status = unsafe pthread_key_create(&key) { _ = unsafe takeBack(ResolutionStack.self, from: $0) }
    guard status == 0 else { fatalError("Plug needs a thread-specific key, and the system has none left.") }
    published.store(UInt(key) + 1, ordering: .releasing)
    return key
  }()

  @inline(__always)
  fileprivate static var stack: ThreadStack {
    let published = published.load(ordering: .acquiring)
    if published != 0, let pointer = unsafe pthread_getspecific(pthread_key_t(truncatingIfNeeded: published - 1)) {
      return unsafe ThreadStack(stack: Unmanaged.fromOpaque(pointer))
    }
    return begin()
  }

  @inline(never)
  private static func begin() -> ThreadStack {
    let stack = unsafe Unmanaged.passRetained(ResolutionStack(StackBounds.ofThread))
    unsafe pthread_setspecific(key, stack.toOpaque())
    return unsafe ThreadStack(stack: stack)
  }
}

/// The calling thread's stack, without a counted reference.
///
/// Soundness: the slot of the thread holds the stack until the thread ends, and this value does not leave the thread:
/// it is made, used and forgotten within one synchronous request.
@safe
@usableFromInline
struct ThreadStack {
  fileprivate let stack: Unmanaged<ResolutionStack>

  @inline(__always)
  static var current: ThreadStack { ThreadSlot.stack }

  @inline(__always)
  func with<Result, Failure: Error>(
    _ body: (ResolutionStack) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let result = unsafe stack._withUnsafeGuaranteedRef { stack -> Swift.Result<Result, Failure> in
      do throws(Failure) { return .success(try body(stack)) } catch { return .failure(error) }
    }
    switch result {
    case .success(let value): return value
    case .failure(let error): throw error
    }
  }
}

/// How far the stack of a thread may grow.
struct StackBounds {
  /// The lowest address at which a request may enter one frame more.
  var lowest: UInt
  /// How many frames there may be.
  var frames = Int.max

  /// The address of a local variable, which is close to the end of the used stack.
  @inline(__always)
  static var here: UInt {
    var local: UInt8 = 0
    return unsafe withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
  }

  /// The bounds of the calling thread. A quarter of the stack, at most 256 KiB and at least 40 KiB, is left to the
  /// factory that runs at the innermost frame. Where the size is unknown, 256 KiB below the caller are taken as safe.
  static var ofThread: StackBounds {
    guard let (lowest, size) = addressAndSize else { return StackBounds(lowest: here - 256 * 1024) }
    // AddressSanitizer keeps local variables elsewhere, so that their addresses say nothing.
    if unsafe dlsym(nil, "__asan_init") != nil { return StackBounds(lowest: 0, frames: Int(size / 18_432)) }
    return StackBounds(lowest: lowest + min(256 * 1024, max(40 * 1024, size / 4)))
  }

  #if canImport(Darwin)
    private static var addressAndSize: (UInt, UInt)? {
      let size = UInt(pthread_get_stacksize_np(pthread_self()))
      return unsafe (UInt(bitPattern: pthread_get_stackaddr_np(pthread_self())) - size, size)
    }
  #else
    private typealias GetAttributes = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> Int32

    /// The result of `pthread_getattr_np`, which the C libraries have but their Swift modules do not show.
    ///
    /// Soundness of the cast: it is the signature of the manual page, pthread_getattr_np(3).
    private static var addressAndSize: (UInt, UInt)? {
      var attributes = pthread_attr_t()
      let getAttributes = unsafe systemFunction("pthread_getattr_np", as: GetAttributes.self)
      guard unsafe getAttributes?(pthread_self(), &attributes) == 0 else { return nil }
      defer { unsafe pthread_attr_destroy(&attributes) }
      var address: UnsafeMutableRawPointer?
      var size = 0
      guard unsafe pthread_attr_getstack(&attributes, &address, &size) == 0 else { return nil }
      return (UInt(bitPattern: address), UInt(size))
    }
  #endif
}

/// Lets one thread sleep until another wakes it. A wake-up that comes first is kept.
///
/// Soundness: both primitives stay at their addresses from `init` to `deinit`, and `isAwake` is read and written under
/// the mutex only.
@safe package final class Parker: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var isAwake = false

  package init() {
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(condition, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  package func park() {
    locked { while !isAwake { unsafe pthread_cond_wait(condition, mutex) } }
  }

  package func unpark() {
    locked {
      isAwake = true
      unsafe pthread_cond_signal(condition)
    }
  }

  private func locked(_ body: () -> Void) {
    unsafe pthread_mutex_lock(mutex)
    body()
    unsafe pthread_mutex_unlock(mutex)
  }
}

/// Takes back an object that was given to a C function with a counted reference.
///
/// Soundness: the pointer is the one that `Unmanaged.passRetained` made of an object of that type.
private func takeBack<Object: AnyObject>(_ type: Object.Type, from pointer: UnsafeMutableRawPointer?) -> Object? {
  unsafe pointer.map { unsafe Unmanaged<Object>.fromOpaque($0).takeRetainedValue() }
}

/// A thread outside the pool of tasks, for work that must continue while all threads of the pool wait.
enum BackgroundThread {
  private typealias Body = Boxed<@Sendable () -> Void>

  /// Runs a closure on a thread of its own; in a task, if the system has no thread left.
  ///
  /// Soundness: the reference is retained for the thread, which takes it over, or is taken back here if there is none.
  static func run(_ body: @escaping @Sendable () -> Void) {
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let reference = unsafe Unmanaged.passRetained(Body(body))
    let status = unsafe pthread_create(
      &thread, nil,
      { pointer in
        unsafe takeBack(Body.self, from: pointer)?.value()
        return nil
      }, reference.toOpaque())
    guard status == 0 else {
      unsafe reference.release()
      Task.detached { body() }
      return
    }
    #if canImport(Darwin)
      if let thread = unsafe thread { unsafe pthread_detach(thread) }
    #else
      pthread_detach(thread)
    #endif
  }
}

extension StaticString {
  /// The address of the literal, which is valid while the program runs; for a single scalar, which has none, its value.
  var address: UInt {
    hasPointerRepresentation ? unsafe UInt(bitPattern: utf8Start) : UInt(unicodeScalar.value)
  }
}

/// A function of the system that not every C module declares; `nil` if there is none of that name.
///
/// Soundness of the cast: each caller states the source of the function's type.
@unsafe
func systemFunction<Function>(_ name: String, as type: Function.Type) -> Function? {
  unsafe unsafeBitCast(dlsym(dlopen(nil, RTLD_LAZY), name), to: Function?.self)
}

extension Injector {
  /// The number of the calling thread.
  package static var callingThread: UInt { ThreadStack.current.with { $0.work } }

  /// The number of the calling task, or of the thread if there is no task. A later task may get the same number, so no
  /// more than an issue of a strict test depends on it.
  package static var callingTask: UInt {
    let hash = unsafe withUnsafeCurrentTask { unsafe $0?.hashValue }
    return hash.map { UInt(bitPattern: $0) } ?? callingThread
  }
}
