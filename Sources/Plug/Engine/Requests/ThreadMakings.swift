import Synchronization

/// What a thread needs to make, and to get, the instances of scopes that have no cells.
///
/// Soundness of the unchecked conformance: the memory is touched by the thread only, and a value is moved out of it
/// before the thread does anything else. What is handed over is guarded.
@safe
struct ThreadMakings: ~Copyable, @unchecked Sendable {
  private static var size: Int { 256 }
  private static var alignment: Int { 16 }

  /// Where a value is copied to under a lock.
  let copy = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: alignment)

  private let lastNumber = Atomic<UInt>(0)
  private let handedOver = Guarded<[(number: UInt, cell: ResolutionStep)]>([])

  deinit { unsafe copy.deallocate() }

  /// Whether values of a type can be copied there.
  static func canCopy<Value>(_ type: Value.Type) -> Bool {
    MemoryLayout<Value>.size <= size && MemoryLayout<Value>.alignment <= alignment
  }

  /// Numbers what the thread begins to make.
  func begin() -> UInt {
    let number = lastNumber.load(ordering: .relaxed) &+ 1
    lastNumber.store(number, ordering: .relaxed)
    return number
  }

  /// Another thread has put a cell in place of what this one makes.
  func handOver(_ cell: ResolutionStep, inPlaceOf number: UInt) {
    handedOver.withLock { $0.append((number, cell)) }
  }

  /// The cell in place of what the thread makes, if there is one.
  func take(_ number: UInt) -> ResolutionStep? {
    handedOver.withLock { handedOver in
      guard let place = handedOver.firstIndex(where: { $0.number == number }) else { return nil }
      return handedOver.remove(at: place).cell
    }
  }
}
