import Plug
public import Testing

/// A trait that gives each test private copies of all injectors; use it as `.isolated`.
public struct IsolatedTrait: TestTrait, SuiteTrait, TestScoping {
  let prepare: @Sendable (IsolatedInjectors) async throws -> Void

  /// Always `true`: a suite passes the trait on to its tests, so that each test has copies of its own.
  public var isRecursive: Bool { true }

  /// Runs a test, or one case of it, in isolation.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    try await Sandbox.run { _ in
      try await prepare(IsolatedInjectors())
      try await function()
    }
  }
}

extension Trait where Self == IsolatedTrait {
  /// Gives each test private copies of all injectors, so that no test sees what another one does.
  ///
  /// ```swift
  /// @Test(.isolated) func anEmptyBasketIsFree() throws {
  ///   try Shop.services.override(
  ///     as: Prices.self, injectable: .singleton(FixedPrices(3)))
  ///   #expect(try Shop.services.get(Basket.self).total == 0)
  /// }
  /// ```
  ///
  /// Tests can run in parallel. Every injector the test reaches is a copy, whether by a variable, by its name, by
  /// `@Injected`, by a provider or by a registry. The copy has the same registrations, may be sealed, and makes its own
  /// instances.
  ///
  /// After the test, everything that was registered, overridden, made or set in the copies is gone, and
  /// `Injection.onClose(_:)` closures run. An instance that was handed in as `.singleton(instance)` is
  /// shared by all copies.
  public static var isolated: Self {
    .isolated { _ in }
  }

  /// Gives each test private copies of all injectors, and prepares them.
  ///
  /// ```swift
  /// @Suite(.isolated { injectors in
  ///   try injectors[.services].override(
  ///     as: Network.self, injectable: .unimplemented("network"))
  /// })
  /// ```
  ///
  /// - Parameter prepare: Changes the copies before the test runs. For injectors of the main actor, pass a main-actor
  ///   closure: `{ @MainActor injectors in … }`.
  public static func isolated(_ prepare: @escaping @Sendable (IsolatedInjectors) async throws -> Void) -> Self {
    Self(prepare: prepare)
  }
}
