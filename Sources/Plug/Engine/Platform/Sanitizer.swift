#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// AddressSanitizer, if the program runs under it: it keeps local variables on a stack of its own, in the heap, so that
/// it sees who uses one that has gone.
///
/// Soundness of the casts: they give the symbols the signatures of sanitizer/asan_interface.h.
enum Sanitizer {
  private typealias CurrentStack = @convention(c) () -> UnsafeMutableRawPointer?
  private typealias FindAddress =
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
      UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> UnsafeMutableRawPointer?

  private static let currentStack: CurrentStack? = unsafe symbol("__asan_get_current_fake_stack").map {
    unsafe unsafeBitCast($0, to: CurrentStack.self)
  }

  private static let findAddress: FindAddress? = unsafe symbol("__asan_addr_is_in_fake_stack").map {
    unsafe unsafeBitCast($0, to: FindAddress.self)
  }

  private static func symbol(_ name: String) -> UnsafeMutableRawPointer? { unsafe dlsym(dlopen(nil, RTLD_LAZY), name) }

  /// Whether the address of a local variable may be another than its place on the stack.
  static let movesLocals = unsafe currentStack != nil && findAddress != nil

  /// The place on the stack of a local variable of the calling thread.
  static func realAddress(_ address: UInt) -> UInt {
    guard let currentStack = unsafe currentStack, let findAddress = unsafe findAddress else { return address }
    let place = unsafe findAddress(currentStack(), UnsafeMutableRawPointer(bitPattern: address), nil, nil)
    return unsafe place.map { UInt(bitPattern: $0) } ?? address
  }
}
