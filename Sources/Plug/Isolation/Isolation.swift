/// The isolation of a test, which you carry over to work that does not inherit it.
///
/// In an isolated test (see the PlugTesting product), every injector is a private copy. A `Task` inherits the isolation
/// from the code that starts it, and so do child tasks. `Task.detached`, threads and callbacks do not. Capture the
/// isolation before, and run the work in it:
///
/// ```swift
/// let isolation = Isolation.current
/// queue.async { isolation.run { synchronize() } }
/// Task.detached { await isolation.run { await synchronize() } }
/// ```
///
/// Outside of an isolated test, which means everywhere in production, `run` just calls its closure.
public struct Isolation: Sendable {
  /// The private copies of the test; `nil` outside of an isolated test.
  package let sandbox: Sandbox?

  /// The isolation of the calling task or thread.
  public static var current: Isolation { Isolation(sandbox: .current) }

  /// Runs synchronous work in the isolation.
  ///
  /// - Parameter work: The work. Everything it starts with `Task` or as a child task inherits the isolation too.
  /// - Returns: What the work returns.
  /// - Throws: What the work throws.
  public func run<Result>(_ work: () throws -> Result) rethrows -> Result {
    guard let sandbox else { return try work() }
    return try sandbox.run(work)
  }

  /// Runs asynchronous work in the isolation.
  ///
  /// - Parameter work: The work. Everything it starts with `Task` or as a child task inherits the isolation too.
  /// - Returns: What the work returns.
  /// - Throws: What the work throws.
  public func run<Result>(_ work: () async throws -> Result) async rethrows -> Result {
    guard let sandbox else { return try await work() }
    return try await sandbox.run(work)
  }
}
