import Plug

/// Runs code with private copies of all injectors, see `.isolated`: where there are no traits, for
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
///   - fileID: The file of the call, for diagnostics.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - body: The code.
public func withIsolatedInjectors<Result>(
  strict: Bool = false, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  _ body: () throws -> Result
) rethrows -> Result {
  guard strict else { return try Sandbox.run { _ in try body() } }
  let escapes = EscapeLog(isolatedAt: TestLocation(fileID: fileID, filePath: filePath, line: line))
  return try Sandbox.run(onEscape: escapes.add) { sandbox in
    defer { escapes.report(about: sandbox) }
    return try body()
  }
}

/// Runs asynchronous code with private copies of all injectors.
///
/// - Parameters:
///   - strict: Whether it is an issue if an injector itself is reached meanwhile by code that belongs to no test.
///   - fileID: The file of the call, for diagnostics.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - body: The code.
public func withIsolatedInjectors<Result>(
  strict: Bool = false, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  _ body: () async throws -> Result
) async rethrows -> Result {
  let escapes = EscapeLog(isolatedAt: TestLocation(fileID: fileID, filePath: filePath, line: line))
  return try await Sandbox.run(onEscape: strict ? escapes.add : nil) { sandbox in
    defer { escapes.report(about: sandbox) }
    return try await body()
  }
}
