public import Synchronization

/// Where a value is that is set once, and from then on read by any thread without a lock.
///
/// Soundness of the unchecked conformance: `address` is set once, to memory that has been initialized as a `Value`
/// before, by the thread whose exchange succeeded, or before any other has the owner. It is read with acquire ordering,
/// and neither it nor what it points to changes until the owner calls `destroy` in its `deinit`, which nobody can race
/// with: whoever reads keeps the owner alive. The owner always names the same `Value`; the type itself is not generic
/// because that would take a search for metadata wherever it is not specialized.
///
/// The value has memory of its own, although that takes an allocation: where an object does not escape, the compiler
/// moves what lies in it, also what cannot be copied, so that nothing there has one address.
@safe
@usableFromInline
struct Published: ~Copyable, @unchecked Sendable {
  @usableFromInline let address = unsafe Atomic<UnsafeMutableRawPointer?>(nil)

  @inlinable
  init() {}

  var isEmpty: Bool { unsafe address.load(ordering: .relaxed) == nil }

  /// Where the value is; `nil` as long as there is none.
  @inlinable
  func pointer<Value: Sendable>(to type: Value.Type) -> UnsafeMutablePointer<Value>? {
    unsafe address.load(ordering: .acquiring)?.assumingMemoryBound(to: type)
  }

  /// Sets the value of an owner that no other thread has yet.
  @inlinable
  func initialize<Value: Sendable>(to value: consuming Value) {
    let pointer = unsafe Memory.allocate(for: Value.self)
    unsafe pointer.initialize(to: value)
    unsafe address.store(UnsafeMutableRawPointer(pointer), ordering: .releasing)
  }

  /// Sets the value, unless another thread was first.
  @inlinable
  func publish<Value: Sendable>(_ value: consuming Value) {
    _ = unsafe place(of: value)
  }

  /// Sets the value, unless another thread was first.
  ///
  /// - Returns: The value that has been set.
  @inlinable
  func firstPublished<Value: Sendable>(_ value: consuming Value) -> Value { unsafe place(of: value).pointee }

  /// Where the first value is: this one, or that of another thread.
  @inlinable
  func place<Value: Sendable>(of value: consuming Value) -> UnsafeMutablePointer<Value> {
    let pointer = unsafe Memory.allocate(for: Value.self)
    unsafe pointer.initialize(to: value)
    let (isFirst, first) = unsafe address.compareExchange(
      expected: nil, desired: UnsafeMutableRawPointer(pointer), ordering: .acquiringAndReleasing)
    guard !isFirst, let first = unsafe first else { return unsafe pointer }
    unsafe pointer.deinitialize(count: 1)
    unsafe Memory.deallocate(pointer)
    return unsafe first.assumingMemoryBound(to: Value.self)
  }

  /// Ends the value.
  @inlinable
  func destroy<Value: Sendable>(_ type: Value.Type) {
    guard let pointer = unsafe pointer(to: type) else { return }
    unsafe pointer.deinitialize(count: 1)
    unsafe Memory.deallocate(pointer)
  }
}
