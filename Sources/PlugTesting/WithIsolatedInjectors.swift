import Plug
public import Testing

/// Runs code with private copies of all injectors, see ``Testing/Trait/isolated``: where there are no traits, for
/// example in XCTest.
///
/// ```swift
/// final class BasketTests: XCTestCase {
///   override func invokeTest() { withIsolatedInjectors { super.invokeTest() } }
/// }
/// ```
///
/// - Parameters:
///   - strict: Whether it is an issue if an injector itself is reached meanwhile by code that belongs to no test.
///   - sourceLocation: Where this is called.
///   - body: The code.
public func withIsolatedInjectors<Result>(
  strict: Bool = false, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Result
) rethrows -> Result {
  guard strict else { return try Sandbox.Lease.$current.withValue(Sandbox.Lease(), operation: body) }
  let escapes = EscapeLog(isolatedAt: sourceLocation)
  defer { escapes.report() }
  return try Sandbox.Lease.$current.withValue(Sandbox.Lease(onEscape: escapes.add), operation: body)
}

/// Runs asynchronous code with private copies of all injectors.
///
/// - Parameters:
///   - strict: Whether it is an issue if an injector itself is reached meanwhile by code that belongs to no test.
///   - sourceLocation: Where this is called.
///   - body: The code.
public func withIsolatedInjectors<Result>(
  strict: Bool = false, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Result
) async rethrows -> Result {
  let escapes = EscapeLog(isolatedAt: sourceLocation)
  defer { escapes.report() }
  let lease = Sandbox.Lease(onEscape: strict ? escapes.add : nil)
  return try await Sandbox.Lease.$current.withValue(lease, operation: body)
}
