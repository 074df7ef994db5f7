public import Plug

/// Expects that the registrations of an injector are valid, and records an issue with all problems if they are not.
///
/// ```swift
/// @Test(.isolated) func servicesAreValid() {
///   expectValid(Injector[.services])
/// }
/// ```
///
/// It makes no instances. For the checks, see `Injector.validate(strict:)`.
///
/// - Parameters:
///   - injector: The injector. The validation of a scope includes the inherited registrations.
///   - strict: Whether a closure whose dependencies are unknown is a problem.
///   - fileID: The file of the call, for diagnostics.
///   - filePath: The path of that file.
///   - line: The line of the call.
public func expectValid(
  _ injector: Injector, strict: Bool = false, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line
) {
  let place = TestLocation(fileID: fileID, filePath: filePath, line: line)
  do throws(InjectorError) {
    try injector.validate(strict: strict)
  } catch {
    recordIssue(error.description, at: place)
  }
}
