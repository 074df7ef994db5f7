import Plug
import PlugIsolation

extension Sandbox {
  /// Records an issue for each override that replaces no registration and has not been requested. Most such overrides
  /// name the type of the double instead of the service.
  ///
  /// - Parameter place: The location at which the isolation begins.
  func reportFutileOverrides(at place: TestLocation) {
    for override in futileOverrides { recordIssue(override.text(copies), at: place) }
  }
}

extension Override {
  fileprivate func text(_ injectors: [Injector]) -> String {
    let services = services(in: injectors)
    let known = services.first.map { "; \($0.text) is registered as \($0.expression)" } ?? ""
    let action =
      services.first.map { "Name the service that it stands for: override(\($0.expression).self, …)." }
      ?? "Check the type and the tag: nothing is registered for them."
    return """
      The override of \(key.text) was never used\(known).
        injector:       \(injector)
        overridden at:  \(location)
      To fix this:
        - \(action)
        - Or remove it.
      """
  }
}
