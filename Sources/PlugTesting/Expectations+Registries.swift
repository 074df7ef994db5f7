import Plug
public import PlugKeys

/// Expects that registries have been assigned, and that none of them has vended a mock.
///
/// ```swift
/// @Test(.isolated) func launchAssignsAllRegistries() {
///   App.setUpRegistries()
///   expectNoMocks(in: App.registries)
/// }
/// ```
///
/// See `Registries.checkAssigned(_:)`.
///
/// - Parameters:
///   - registries: The registries that the app's launch must assign.
///   - fileID: The file of the call, for diagnostics.
///   - filePath: The path of that file.
///   - line: The line of the call.
public func expectNoMocks(
  in registries: [any Registry.Type], fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line
) {
  let place = TestLocation(fileID: fileID, filePath: filePath, line: line)
  do throws(UnassignedRegistries) {
    try Registries.checkAssigned(registries)
  } catch {
    return recordIssue(error.description, at: place)
  }
  let mocked = Registries.vendedMocks(of: registries)
  guard !mocked.isEmpty else { return }
  recordIssue(
    """
    \(mocked.count) of \(registries.count) registries vended a mock before they were assigned: \
    \(mocked.joined(separator: ", ")).
    To fix this:
      - Assign each one at launch, before anything uses it.
    """, at: place)
}
