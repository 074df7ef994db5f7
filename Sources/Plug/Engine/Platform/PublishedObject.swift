import Synchronization

/// What `Published` is, for an object: the address is its own, so that it needs no other memory.
///
/// Soundness of the unchecked conformance: `address` is set once, by the thread whose exchange succeeded, to an object
/// that is retained until the owner calls `destroy` in its `deinit`. The owner always names the same class.
@safe
struct PublishedObject: ~Copyable, @unchecked Sendable {
  private let address = unsafe Atomic<UnsafeMutableRawPointer?>(nil)

  /// The object; `nil` as long as there is none.
  @inline(__always)
  func object<Object: AnyObject>(_ type: Object.Type) -> Object? {
    unsafe address.load(ordering: .acquiring).map {
      unsafe Unmanaged<Object>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// Sets the object, unless another thread was first.
  ///
  /// - Returns: The one that has been set.
  @discardableResult
  func publish<Object: AnyObject>(_ object: Object) -> Object {
    let made = unsafe Unmanaged.passRetained(object)
    let (isFirst, first) = unsafe address.compareExchange(
      expected: nil, desired: made.toOpaque(), ordering: .acquiringAndReleasing)
    guard !isFirst, let first = unsafe first else { return object }
    unsafe made.release()
    return unsafe Unmanaged<Object>.fromOpaque(first).takeUnretainedValue()
  }

  /// Releases the object.
  func destroy() {
    guard let address = unsafe address.load(ordering: .acquiring) else { return }
    unsafe Unmanaged<AnyObject>.fromOpaque(address).release()
  }
}
