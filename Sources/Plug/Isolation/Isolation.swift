/// The isolation of a test, which you carry over to work that does not inherit it.
///
/// In an isolated test (see the PlugTesting product), every injector is a private copy. A `Task` inherits the isolation
/// from the code that starts it, and so do child tasks. `Task.detached`, threads and callbacks do not. Capture the
/// isolation before, and run the work in it:
///
/// ```swift
/// let isolation = TestIsolation.current
/// queue.async { isolation.run { synchronize() } }
/// Task.detached { await isolation.run { await synchronize() } }
/// ```
///
/// Outside of an isolated test, which means everywhere in production, `run` just calls its closure.
public struct TestIsolation: Sendable {
  /// The private copies of the test; `nil` outside of an isolated test.
  package let sandbox: Sandbox?

  /// The isolation of the calling task or thread.
  public static var current: TestIsolation { TestIsolation(sandbox: .current) }

  /// Runs synchronous work in the isolation.
  ///
  /// - Parameter work: The work. Everything it starts with `Task` or as a child task inherits the isolation too.
  /// - Returns: What the work returns.
  /// - Throws: What the work throws.
  public func run<Result>(_ work: () throws -> Result) rethrows -> Result {
    guard let sandbox else { return try work() }
    return try Layers.withRedirection(sandbox, work)
  }

  /// Runs asynchronous work in the isolation.
  ///
  /// - Parameter work: The work. Everything it starts with `Task` or as a child task inherits the isolation too.
  /// - Returns: What the work returns.
  /// - Throws: What the work throws.
  public func run<Result>(_ work: () async throws -> Result) async rethrows -> Result {
    guard let sandbox else { return try await work() }
    return try await Layers.withRedirection(sandbox, work)
  }
}

extension Injector {
  /// Makes a value for which all injectors are private copies, to show it with services that are not the program's.
  ///
  /// ```swift
  /// let model = try Injector.preview {
  ///   try Shop.services.register(as: Prices.self) { FixedPrices(3) }
  ///   return CheckoutModel()
  /// }
  /// ```
  ///
  /// In the closure, every injector is a copy: it has the same registrations, makes its own instances, and can be
  /// changed whatever it has been, also if the injector itself is sealed. A second registration replaces the first.
  /// Other tasks do not see that.
  ///
  /// What has been made in the closure goes on with the copies: its ``Injected`` properties, the services that these
  /// get, and tasks that were started there. They are closed when the last of these has been released. Code that runs
  /// later and asks an injector itself is outside, unless it runs in the ``TestIsolation`` of the closure:
  ///
  /// ```swift
  /// let isolation = TestIsolation.current  // in the closure
  /// isolation.run { try Shop.services.get(Cart.self) }  // later
  /// ```
  ///
  /// Return what the closure makes, and no instance that an injector keeps, because that would not hold the copies: an
  /// unread property of it throws ``InjectorError/closed(_:)``. Register a view model that the program has as a lazy
  /// singleton as a factory here. While a preview is alive, requests take a slower path in the whole program.
  ///
  /// - Parameter make: Changes the copies, and makes the value.
  /// - Returns: The value.
  /// - Throws: What the closure throws.
  public static func preview<Value>(_ make: () throws -> Value) rethrows -> Value {
    try Sandbox(.preview).enter(make)
  }

  /// Makes a value asynchronously for which all injectors are private copies, for example to load services before.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the closure runs on, by default that of the caller.
  ///   - make: Changes the copies, and makes the value.
  /// - Returns: The value.
  /// - Throws: What the closure throws.
  public static func preview<Value>(
    isolation: isolated (any Actor)? = #isolation, _ make: () async throws -> Value
  ) async rethrows -> Value {
    try await Layers.withRedirection(Sandbox(.preview), make)
  }
}
