import Synchronization

/// A task-local value for the time of an operation, which tasks inherit that begin meanwhile.
///
/// While no operation is under way, nobody reads the task-local value. So a task that goes on after the operation must
/// not need it any more.
struct Inherited<Value: Sendable>: ~Copyable, Sendable {
  private let local = TaskLocal<Value?>(wrappedValue: nil)
  private let count = Atomic(0)

  var value: Value? { count.load(ordering: .relaxed) == 0 ? nil : local.get() }

  func withValue<Result>(_ value: Value, operation: () async -> Result) async -> Result {
    count.add(1, ordering: .relaxed)
    defer { count.subtract(1, ordering: .relaxed) }
    return await local.withValue(value, operation: operation)
  }
}
