public import Synchronization

/// A value that is set once, and from then on read by any thread without a lock.
///
/// Soundness: `address` is set once, to memory that has been initialized before, by the thread whose exchange succeeded. It
/// is read with acquire ordering, and neither it nor what it points to changes until `deinit`, which nobody can race with:
/// whoever reads keeps the owner alive. The address is kept without its type because a generic atomic looks up
/// metadata where it is not specialized.
@safe
@usableFromInline
struct Published<Value: Sendable>: ~Copyable, @unchecked Sendable {
  @usableFromInline let address = unsafe Atomic<UnsafeMutableRawPointer?>(nil)

  @inlinable
  init() {}

  deinit {
    guard let pointer = unsafe pointer else { return }
    unsafe pointer.deinitialize(count: 1)
    unsafe pointer.deallocate()
  }

  /// Where the value is; `nil` as long as there is none.
  @inlinable var pointer: UnsafeMutablePointer<Value>? {
    unsafe address.load(ordering: .acquiring)?.assumingMemoryBound(to: Value.self)
  }

  /// Sets the value, unless another thread was first.
  ///
  /// - Returns: The value that has been set.
  @inlinable
  @discardableResult
  func publish(_ value: Value) -> Value {
    let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    unsafe pointer.initialize(to: value)
    let (isFirst, first) = unsafe address.compareExchange(
      expected: nil, desired: UnsafeMutableRawPointer(pointer), ordering: .acquiringAndReleasing)
    if isFirst { return value }
    unsafe pointer.deinitialize(count: 1)
    unsafe pointer.deallocate()
    return unsafe first?.assumingMemoryBound(to: Value.self).pointee ?? value
  }
}
