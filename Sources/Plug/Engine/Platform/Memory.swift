#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Memory for one value.
///
/// What the standard library allocates comes from `posix_memalign` on Linux, which takes longer than `malloc`; and what
/// this gives is aligned to two words, which is enough for nearly every type.
///
/// Soundness: the alignment of the type decides alike where memory comes from and where it is given back.
@usableFromInline
enum Memory {
  @inlinable
  static func allocate<Value>(for type: Value.Type) -> UnsafeMutablePointer<Value> {
    let memory = unsafe allocate(MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment)
    return unsafe memory.bindMemory(to: type, capacity: 1)
  }

  @inlinable
  static func deallocate<Value>(_ pointer: UnsafeMutablePointer<Value>) {
    unsafe deallocate(UnsafeMutableRawPointer(pointer), alignment: MemoryLayout<Value>.alignment)
  }

  private static func isPlain(_ alignment: Int) -> Bool { alignment <= 2 * MemoryLayout<UInt>.size }

  @usableFromInline
  static func allocate(_ size: Int, alignment: Int) -> UnsafeMutableRawPointer {
    if isPlain(alignment), let memory = unsafe malloc(max(size, 1)) { return unsafe memory }
    return .allocate(byteCount: size, alignment: alignment)
  }

  @usableFromInline
  static func deallocate(_ memory: UnsafeMutableRawPointer, alignment: Int) {
    if isPlain(alignment) { unsafe free(memory) } else { unsafe memory.deallocate() }
  }
}
