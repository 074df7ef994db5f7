/// The isolation of a test, to be carried along by work that does not inherit it.
///
/// An isolated test, see the product PlugTesting, has private copies of all injectors. A `Task` inherits that from the
/// code that starts it, and so do child tasks. `Task.detached`, a thread or a callback does not; there it can be carried
/// along:
///
/// ```swift
/// let isolation = Isolation.current
/// queue.async { isolation.run { synchronize() } }
/// Task.detached { await isolation.run { await synchronize() } }
/// ```
///
/// Where it was taken outside of an isolated test, and that is everywhere but in tests, it just runs the work.
public struct Isolation: Sendable {
  package let sandbox: Sandbox?

  /// The isolation of the calling code.
  public static var current: Isolation { Isolation(sandbox: .current) }

  /// Runs work in the isolation.
  public func run<Result>(_ work: () throws -> Result) rethrows -> Result {
    guard let sandbox else { return try work() }
    return try sandbox.run(work)
  }

  /// Runs asynchronous work in the isolation.
  public func run<Result>(_ work: () async throws -> Result) async rethrows -> Result {
    guard let sandbox else { return try await work() }
    return try await sandbox.run(work)
  }
}
