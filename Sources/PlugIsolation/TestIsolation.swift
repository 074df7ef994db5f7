public import Plug

/// The isolation of a test, which you can pass on to work that does not inherit it.
///
/// In an isolated test (see the PlugTesting product), every injector is a private copy. Child tasks and `Task { }`
/// inherit the isolation. Detached tasks, threads and callbacks do not: capture the isolation, and run their work in
/// it:
///
/// ```swift
/// let isolation = TestIsolation.current
/// queue.async { isolation.run { synchronize() } }
/// Task.detached { await isolation.run { await synchronize() } }
/// ```
///
/// Outside an isolated test, and so always in production, `run` only calls its closure.
public struct TestIsolation: Sendable {
  /// The private copies of the test; `nil` outside of an isolated test.
  package let sandbox: Sandbox?

  /// The isolation of the calling task or thread.
  public static var current: TestIsolation { TestIsolation(sandbox: .current) }

  /// Runs synchronous work in the isolation.
  ///
  /// - Parameter work: The work. Its child tasks, and tasks started with `Task { }`, inherit the isolation.
  /// - Returns: The result of the work.
  /// - Throws: The error that the work throws.
  public func run<Result>(_ work: () throws -> Result) rethrows -> Result {
    guard let sandbox else { return try work() }
    return try Layers.withRedirection(sandbox, work)
  }

  /// Runs asynchronous work in the isolation.
  ///
  /// - Parameter work: The work. Its child tasks, and tasks started with `Task { }`, inherit the isolation.
  /// - Returns: The result of the work.
  /// - Throws: The error that the work throws.
  public func run<Result>(_ work: () async throws -> Result) async rethrows -> Result {
    guard let sandbox else { return try await work() }
    return try await Layers.withRedirection(sandbox, work)
  }
}

extension Injector {
  /// Makes a value with private copies of all injectors, to show it with other services than the program's.
  ///
  /// ```swift
  /// let model = try Injector.preview {
  ///   try Shop.services.register(Prices.self) { FixedPrices(3) }
  ///   return CheckoutModel()
  /// }
  /// ```
  ///
  /// In the closure, every injector is a copy: it has the same registrations and makes its own instances. It can be
  /// changed even if the original is sealed, and a second registration replaces the first. Other tasks do not see the
  /// changes.
  ///
  /// Objects made in the closure continue to use the copies: their `Injected` properties, the services of these
  /// properties, and tasks started in the closure. Code that runs later and uses an injector directly gets the
  /// original, unless it runs in the ``TestIsolation`` of the closure:
  ///
  /// ```swift
  /// let isolation = TestIsolation.current  // in the closure
  /// isolation.run { try Shop.services.get(Cart.self) }  // later
  /// ```
  ///
  /// The copies are kept until the program ends, so that nothing is closed under a view that still shows it. From then
  /// on, all requests of the program take a slower path. Do not use a preview to make values again and again: open a
  /// scope instead.
  ///
  /// - Parameter make: Changes the copies, and makes the value.
  /// - Returns: The value.
  /// - Throws: The error that the closure throws.
  public static func preview<Value>(_ make: () throws -> Value) rethrows -> Value {
    try Sandbox.run(as: .preview) { _ in try make() }
  }

  /// Makes a value asynchronously with private copies of all injectors, for example after loading services.
  ///
  /// - Parameters:
  ///   - isolation: The actor on which the closure runs; by default the caller's.
  ///   - make: Changes the copies, and makes the value.
  /// - Returns: The value.
  /// - Throws: The error that the closure throws.
  public static func preview<Value>(
    isolation: isolated (any Actor)? = #isolation, _ make: () async throws -> Value
  ) async rethrows -> Value {
    try await Sandbox.run(as: .preview) { _ in try await make() }
  }
}
