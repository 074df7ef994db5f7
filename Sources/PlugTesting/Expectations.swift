public import Plug

/// Expects that everything registered in an injector fits together, and records an issue with all problems if it does
/// not.
///
/// ```swift
/// @Test(.isolated) func servicesAreValid() {
///   expectValid(Injector[.services])
/// }
/// ```
///
/// It constructs nothing; see `Injector.validate(_:)` for what is checked.
///
/// - Parameters:
///   - injector: The injector, or a scope, which is validated with what it inherits.
///   - strictness: Whether closures whose dependencies are unknown pass.
///   - fileID: The file of the call, for diagnostics.
///   - filePath: The path of that file.
///   - line: The line of the call.
public func expectValid(
  _ injector: Injector, _ strictness: Injector.Strictness = .lenient, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line
) {
  let place = TestLocation(fileID: fileID, filePath: filePath, line: line)
  do throws(InjectorError) {
    try injector.validate(strictness)
  } catch {
    recordIssue(error.description, at: place)
  }
}
