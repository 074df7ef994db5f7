import Plug
public import Testing

/// Gives each test private copies of all injectors, see `.isolated`.
public struct IsolatedTrait: TestTrait, SuiteTrait, TestScoping {
  let isStrict: Bool
  let place: TestLocation
  let prepare: @Sendable (IsolatedInjectors) async throws -> Void

  /// A suite passes it on to its tests: each has copies of its own.
  public var isRecursive: Bool { true }

  /// Runs a test, or one case of it, in isolation.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let escapes = EscapeLog(isolatedAt: place)
    try await Sandbox.run(onEscape: isStrict ? escapes.add : nil) { sandbox in
      defer { escapes.report(about: sandbox) }
      try await FailureReport.attaching(to: test, testCase, about: sandbox) {
        try await prepare(IsolatedInjectors())
        try await function()
      }
    }
  }
}

extension Trait where Self == IsolatedTrait {
  /// Gives each test private copies of all injectors: nothing that one test does is seen by another, or later.
  ///
  /// ```swift
  /// @Test(.isolated) func anEmptyBasketIsFree() throws {
  ///   try Shop.services.override(as: Prices.self, injectable: .singleton(FixedPrices(3)))
  ///   #expect(try Shop.services.get(Basket.self).total == 0)
  /// }
  /// ```
  ///
  /// Every injector that the test reaches is a copy, whether by a variable, by its name, by `@Injected`, a provider or
  /// a registry: it has the same registrations, sealed or not, and makes its instances anew. What is registered,
  /// overridden, made or set there is gone after the test, and ``Plug/Injection/onClose(_:)-2kwn8`` runs. An instance that was
  /// handed in, as `.singleton(instance)`, is the same one everywhere.
  public static var isolated: Self {
    .isolated { _ in }
  }

  /// Gives each test private copies of all injectors, and prepares them.
  ///
  /// ```swift
  /// @Suite(.isolated { injectors in
  ///   try injectors[.services].override(as: Network.self, injectable: .unimplemented("network"))
  /// })
  /// ```
  ///
  /// - Parameters:
  ///   - strict: Whether it is an issue if, while the test runs, an injector itself is reached by code that belongs to no
  ///     test: a detached task, a thread or a callback that has lost the isolation. ``Plug/Isolation`` carries it along.
  ///     Of the strict tests that run at that time, those report it that use the injector too, or have created it. Run
  ///     them serialized to know which one is meant.
  ///   - fileID: The file of the trait, for diagnostics.
  ///   - filePath: The path of that file.
  ///   - line: The line of the trait.
  ///   - prepare: Changes the copies before the test runs. What belongs to the main actor takes one that does too:
  ///     `{ @MainActor injectors in … }`.
  public static func isolated(
    strict: Bool = false, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ prepare: @escaping @Sendable (IsolatedInjectors) async throws -> Void = { _ in }
  ) -> Self {
    Self(isStrict: strict, place: TestLocation(fileID: fileID, filePath: filePath, line: line), prepare: prepare)
  }
}
