import Plug

/// Runs code with private copies of all injectors, where there are no traits, for example in XCTest.
///
/// ```swift
/// final class BasketTests: XCTestCase {
///   override func invokeTest() {
///     withIsolatedInjectors { super.invokeTest() }
///   }
/// }
/// ```
///
/// See `.isolated` for what a copy is.
///
/// - Parameter body: The code.
/// - Returns: What the code returns.
/// - Throws: What the code throws.
public func withIsolatedInjectors<Result>(_ body: () throws -> Result) rethrows -> Result {
  try Sandbox.run { _ in try body() }
}

/// Runs asynchronous code with private copies of all injectors.
///
/// Child tasks and tasks started with `Task` inherit the copies. Detached tasks do not; see `Isolation`.
///
/// - Parameter body: The code.
/// - Returns: What the code returns.
/// - Throws: What the code throws.
public func withIsolatedInjectors<Result>(_ body: () async throws -> Result) async rethrows -> Result {
  try await Sandbox.run { _ in try await body() }
}
