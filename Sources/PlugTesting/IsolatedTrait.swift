import Plug
import PlugIsolation
public import Testing

/// A trait that gives each test private copies of all injectors. Use it as `.isolated`.
public struct IsolatedTrait: TestTrait, SuiteTrait, TestScoping {
  let isStrict: Bool
  let place: TestLocation
  let prepare: @Sendable (IsolatedInjectors) async throws -> Void

  /// Always `true`: a suite applies the trait to its tests, so that each test has copies of its own.
  public var isRecursive: Bool { true }

  /// Runs a test, or one case of it, in isolation.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let escapes = EscapeLog(isolatedAt: place)
    let selections = SelectionLog()
    try await Sandbox.run(watch: selections, onEscape: isStrict ? escapes.add : nil) { sandbox in
      defer { escapes.report(about: sandbox) }
      try await FailureReport.attaching(to: test, testCase, of: selections) {
        try await prepare(IsolatedInjectors())
        // A test need not use every override of a preparation that it shares with others.
        sandbox.waiveOverrides()
        try await function()
        sandbox.reportFutileOverrides(at: place)
      }
    }
  }
}

extension Trait where Self == IsolatedTrait {
  /// Gives each test private copies of all injectors, so that no test sees the changes of another.
  ///
  /// ```swift
  /// @Test(.isolated) func anEmptyBasketIsFree() throws {
  ///   try Shop.services.override(
  ///     Prices.self, .singleton(FixedPrices(3)))
  ///   #expect(try Shop.services.get(Basket.self).total == 0)
  /// }
  /// ```
  ///
  /// Isolated tests can run in parallel. Every injector that the test reaches is a copy, whether by a variable, a name,
  /// `@Injected`, a provider or a registry. The copy has the same registrations and makes its own instances. A test
  /// can add to it, even if the original is sealed.
  ///
  /// After the test, the copies are closed with all of their changes and instances, and `Injection.onClose(_:)`
  /// closures run. All copies share an instance that is given as `.singleton(instance)`.
  public static var isolated: Self {
    .isolated { _ in }
  }

  /// Gives each test private copies of all injectors, and prepares them.
  ///
  /// ```swift
  /// @Suite(.isolated { injectors in
  ///   try injectors[.services].override(
  ///     Network.self, .unimplemented("network"))
  /// })
  /// ```
  ///
  /// - Parameters:
  ///   - strict: Whether it is an issue if code outside any test uses an injector directly while the test runs, such as
  ///     a detached task, a thread or a callback that has lost the isolation. `TestIsolation` passes the isolation on.
  ///     If several strict tests run at the same time, each test that uses or has created the injector reports the
  ///     issue. Serialize the tests to find the cause.
  ///   - fileID: The file of the trait, for diagnostics.
  ///   - filePath: The path of that file.
  ///   - line: The line of the trait.
  ///   - prepare: Changes the copies before the test runs. For injectors of the main actor, pass a main-actor closure:
  ///     `{ @MainActor injectors in … }`.
  public static func isolated(
    strict: Bool = false, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ prepare: @escaping @Sendable (IsolatedInjectors) async throws -> Void = { _ in }
  ) -> Self {
    Self(isStrict: strict, place: TestLocation(fileID: fileID, filePath: filePath, line: line), prepare: prepare)
  }
}
