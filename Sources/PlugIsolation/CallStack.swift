#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The calls on a thread's stack.
enum CallStack {
  private typealias List = @convention(c) (UnsafeMutablePointer<UInt>, Int32) -> Int32

  /// The system's `backtrace`, looked up by its name because not every C module declares it.
  ///
  /// Soundness of the cast: it is `int backtrace(void **, int)` wherever it exists. An address is as large as `UInt`.
  private static let list = unsafe unsafeBitCast(dlsym(dlopen(nil, RTLD_LAZY), "backtrace"), to: List?.self)

  private static let limit = 512

  /// The return addresses, from the innermost call; none if the system cannot list them.
  @inline(never)
  static func current() -> [UInt] {
    var addresses: [UInt] = Array(repeating: 0, count: limit)
    let count = unsafe list?(&addresses, Int32(limit)) ?? 0
    return Array(addresses.prefix(Int(count)))
  }
}
