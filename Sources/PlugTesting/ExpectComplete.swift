public import Plug
import PlugIsolation

/// Makes everything registered in an injector once, and records an issue for each failure.
///
/// ```swift
/// @Test(.isolated) func nothingIsMissing() async throws {
///   try App.services.override(
///     as: Network.self, injectable: .singleton(FakeNetwork()))
///   await expectComplete(
///     App.services, in: [User.guest, User.member], with: [UserID(1)])
/// }
/// ```
///
/// A test then finds a service that is missing behind a closure. All services are made in copies of the injectors, with
/// the overrides of the calling test, and released at the end. Asynchronous services are loaded, main-actor services
/// are made on the main actor, and scoped services in a scope. If several services fail because of one dependency, the
/// expectation reports only that dependency.
///
/// For a plugin point, the candidates that apply in any of the contexts are made. A candidate without a matching
/// context is an issue, and so is a service without a matching argument. Disable candidates that a test should skip
/// with `Injector.disable(_:at:)`. Requests that an instance makes after its construction, for example by `@Injected`,
/// are not checked.
///
/// - Parameters:
///   - injector: The injector, or a scope if each scope registers services of its own.
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
  let rehearsal = await withIsolatedInjectors {
    await Rehearsal(of: injector, in: contexts, with: arguments, fileID, line)
  }
  for failure in rehearsal.failures where !rehearsal.failures.contains(where: { $0.isCause(of: failure) }) {
    recordIssue(failure.description, at: place)
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
