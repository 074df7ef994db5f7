import Synchronization

/// A task-local value for the time of an operation, which tasks inherit that begin meanwhile.
///
/// While no operation is under way, nobody reads the task-local value. So a task that goes on after the operation must
/// not need it any more. It is made for the first operation, so that a global one of these is initialized by the
/// compiler, and asking it takes no longer than reading a number.
struct Inherited<Value: Sendable>: ~Copyable, Sendable {
  private let local = PublishedObject()
  private let count = Atomic(0)

  /// Whether an operation is under way.
  var isUsed: Bool { count.load(ordering: .relaxed) != 0 }

  var value: Value? { isUsed ? local.object(TaskLocal<Value?>.self)?.get() : nil }

  func withValue<Result>(_ value: Value, operation: () async -> Result) async -> Result {
    count.add(1, ordering: .relaxed)
    defer { count.subtract(1, ordering: .relaxed) }
    let local = local.object(TaskLocal<Value?>.self) ?? local.publish(TaskLocal(wrappedValue: nil))
    return await local.withValue(value, operation: operation)
  }
}
