/// A task, or a thread that runs none.
enum TaskOrThread: Hashable, Sendable {
  case task(Int)
  case thread(UInt)

  static var current: TaskOrThread {
    let task = unsafe withUnsafeCurrentTask { task in unsafe task?.hashValue }
    return task.map(TaskOrThread.task) ?? .thread(ThreadContext.current.number)
  }
}

/// A use of an injector itself, from outside of every isolation, while a test runs that forbids it.
///
/// It does not keep the injector, which may be one of a test that is not isolated.
package struct Escape: Sendable, Hashable {
  /// The injector: `Injector("services")`.
  package let injector: String

  let identity: Injector.Identity
  let creator: TaskOrThread?

  /// Where it was used; `nil` if that is not known.
  package let location: CodeLocation?
}
