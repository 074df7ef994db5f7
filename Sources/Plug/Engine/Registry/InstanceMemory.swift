/// Memory for the instances of one scope, so that small ones need no allocation each.
///
/// Soundness: memory that has been given out is not given out again, and does not move. Whoever has a value here has
/// this, or a copy of it.
@safe
struct InstanceMemory {
  /// Two words, to which whatever is allocated is aligned.
  private typealias Unit = (UInt, UInt)
  private final class Block: ManagedBuffer<Void, Unit> {}

  private static var capacity: Int { 384 }

  private var block: ManagedBuffer<Void, Unit>?
  private var used = 0

  /// Memory for one more value.
  mutating func allocate(_ size: Int, alignment: Int) -> UnsafeMutableRawPointer {
    let stride = MemoryLayout<Unit>.stride
    let end = used + (max(size, 1) + stride - 1) / stride * stride
    guard end <= Self.capacity, alignment <= stride else { return unsafe Memory.allocate(size, alignment: alignment) }
    defer { used = end }
    let block = block ?? Block.create(minimumCapacity: Self.capacity / stride) { _ in }
    self.block = block
    return unsafe Self.start(of: block) + used
  }

  /// Gives the memory of a value back that has ended.
  func deallocate(_ place: UnsafeMutableRawPointer, alignment: Int) {
    let isHere = block.map { unsafe (0..<Self.capacity).contains(place - Self.start(of: $0)) } ?? false
    if !isHere { unsafe Memory.deallocate(place, alignment: alignment) }
  }

  private static func start(of block: ManagedBuffer<Void, Unit>) -> UnsafeMutableRawPointer {
    unsafe block.withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0) }
  }
}
