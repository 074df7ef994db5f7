import Plug
import PlugIsolation

/// Runs code with private copies of all injectors. Use it where there are no traits, for example in XCTest.
///
/// ```swift
/// final class BasketTests: XCTestCase {
///   override func invokeTest() {
///     withIsolatedInjectors { super.invokeTest() }
///   }
/// }
/// ```
///
/// For the properties of a copy, see `.isolated`.
///
/// - Parameters:
///   - strict: Whether it is an issue if code outside any test uses an injector directly meanwhile.
///   - fileID: The file of the call, for diagnostics.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - body: The code.
/// - Returns: The result of the code.
/// - Throws: The error that the code throws.
public func withIsolatedInjectors<Result>(
  strict: Bool = false, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  _ body: () throws -> Result
) rethrows -> Result {
  let place = TestLocation(fileID: fileID, filePath: filePath, line: line)
  let escapes = strict ? EscapeLog(isolatedAt: place) : nil
  return try Sandbox.run(onEscape: escapes?.add) { sandbox in
    defer { escapes?.report(about: sandbox) }
    let result = try body()
    sandbox.reportFutileOverrides(at: place)
    return result
  }
}

/// Runs asynchronous code with private copies of all injectors.
///
/// Child tasks and tasks started with `Task` inherit the copies. Detached tasks do not; see `TestIsolation`.
///
/// - Parameters:
///   - strict: Whether it is an issue if code outside any test uses an injector directly meanwhile.
///   - fileID: The file of the call, for diagnostics.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - body: The code.
/// - Returns: The result of the code.
/// - Throws: The error that the code throws.
public func withIsolatedInjectors<Result>(
  strict: Bool = false, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  _ body: () async throws -> Result
) async rethrows -> Result {
  let place = TestLocation(fileID: fileID, filePath: filePath, line: line)
  let escapes = strict ? EscapeLog(isolatedAt: place) : nil
  return try await Sandbox.run(onEscape: escapes?.add) { sandbox in
    defer { escapes?.report(about: sandbox) }
    let result = try await body()
    sandbox.reportFutileOverrides(at: place)
    return result
  }
}
