public import Plug
import PlugIsolation

/// Makes everything registered in an injector once, reads the injected properties of each instance, and records an
/// issue for each failure.
///
/// ```swift
/// @Test(.isolated) func nothingIsMissing() async throws {
///   try App.services.override(
///     Network.self, .singleton(FakeNetwork()))
///   await expectComplete(
///     App.services, in: [User.guest, User.member], with: [UserID(1)])
/// }
/// ```
///
/// A test then finds a service that is missing behind a closure, or behind an `@Injected` property. A factory that asks
/// any injector for a service that its registration does not declare is an issue, too: `validate` and `seal` cannot see
/// such a request. All services are made in copies of the injectors, with the overrides of the calling test, and
/// released at the end. Asynchronous services are loaded, main-actor services are made on the main actor, and scoped
/// services in a scope. If each scope registers its own value of a type, this scope registers the first context of that
/// type. If several services fail because of one dependency, the expectation reports only that dependency.
///
/// For a plugin point, the candidates that apply in any of the contexts are made. A candidate without a matching
/// context is an issue, and so is a service without a matching argument. Disable candidates that a test should skip
/// with `Injector.disable(_:at:)`. Injected properties are found by reflection, in the instance and in the values that
/// it holds. Requests that a method of an instance makes are not checked.
///
/// - Parameters:
///   - injector: The injector, or a scope if each scope registers more than the contexts.
///   - contexts: The contexts in which candidates are chosen. A plugin point without a context of its type uses the
///     registered context.
///   - arguments: The arguments from which services are made, found by their types.
///   - fileID: The file of the call, for diagnostics.
///   - filePath: The path of that file.
///   - line: The line of the call.
public func expectComplete(
  _ injector: Injector, in contexts: [any Sendable] = [], with arguments: [any Sendable] = [],
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
) async {
  let place = TestLocation(fileID: fileID, filePath: filePath, line: line)
  let requests = UndeclaredRequests()
  let rehearsal = await Sandbox.run(recorder: requests) { _ in
    await Rehearsal(of: injector, in: contexts, with: arguments, fileID, line)
  }
  let failures = rehearsal.failures
  for failure in failures where !failures.contains(where: { $0.isCause(of: failure) }) {
    recordIssue(failure.description, at: place)
  }
  for (property, error) in rehearsal.unreadable
  where !failures.contains(where: { $0.facts.chain == error.facts.chain || $0.isCause(of: error) }) {
    recordIssue("The injected property \(property) cannot be read.\n\(error)", at: place)
  }
  if !requests.found.isEmpty {
    let lines = requests.found.map {
      "  \($0.factory), registered at \($0.location), asks \($0.injector) for \($0.service)"
    }
    recordIssue(
      """
      Factories ask for services that they do not declare, so validate and seal cannot see these requests:
      \(lines.joined(separator: "\n"))
      To fix this:
        - Take the services as parameters, with wiring:, or from the injector that the closure receives.
        - Or declare them: .depends(on: …).
      """, at: place)
  }
  guard !rehearsal.omissions.isEmpty else { return }
  let count = rehearsal.omissions.count
  recordIssue(
    """
    \(count == 1 ? "1 registration was" : "\(count) registrations were") not made:
    \(rehearsal.omissions.map { "  \($0.subject): \($0.reason)" }.joined(separator: "\n"))
    To fix this:
      - Pass the missing values: contexts that satisfy the rules in: […], arguments with: […].
      - Or disable the candidates that the test leaves out: disable("…", at: "…").
    """, at: place)
}

extension InjectorError {
  /// Whether this error is the cause of another one, which is the error of a service that needs the failed one.
  fileprivate func isCause(of other: InjectorError) -> Bool {
    let (chain, longer) = (facts.chain, other.facts.chain)
    return !chain.isEmpty && chain.count < longer.count && longer.suffix(chain.count).elementsEqual(chain)
  }
}
