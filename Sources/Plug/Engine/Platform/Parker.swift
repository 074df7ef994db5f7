#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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
