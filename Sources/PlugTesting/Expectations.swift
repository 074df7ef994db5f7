public import Plug

/// Expects that everything registered in an injector fits together, see ``Plug/Injector/validate()``.
public func expectValid(
  _ injector: Injector, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
) {
  let place = TestLocation(fileID: fileID, filePath: filePath, line: line)
  do throws(InjectorError) {
    try injector.validate()
  } catch {
    recordIssue(error.description, at: place)
  }
}

/// Expects that registries have been assigned, see ``Plug/Registries/checkAssigned(_:)``, and that none of them has vended a
/// mock before.
///
/// ```swift
/// @Test(.isolated) func launchAssignsAllRegistries() {
///   App.setUpRegistries()
///   expectNoMocks(in: App.registries)
/// }
/// ```
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
  let names = Set(registries.map { registry in registry.registryName })
  let mocked = Registries.vendedMocks.filter(names.contains)
  guard !mocked.isEmpty else { return }
  recordIssue(
    """
    \(mocked.count) of \(registries.count) registries vended a mock before they were assigned: \
    \(mocked.joined(separator: ", ")).
    To fix this:
      - Assign each one at launch, before anything uses it.
    """, at: place)
}
