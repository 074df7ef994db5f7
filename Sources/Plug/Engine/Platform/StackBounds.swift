#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How far the stack of a thread may still grow.
struct StackBounds {
  /// A local variable above it tells that a resolution may go one level deeper. Under AddressSanitizer no address is.
  let limit: UInt

  /// The lowest address on the stack at which it may.
  private let lowest: UInt

  /// The bounds of the calling thread.
  ///
  /// A quarter of the stack is left to the factory that runs at the deepest level: at most 256 KiB, and at least 40
  /// KiB, because an error takes up to 32 KiB without optimization when it is the first. Where the system does not tell
  /// the size, 256 KiB below the caller are taken as safe.
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
