public import Plug

/// The private copies of an isolated test, which `.isolated` passes to its closure.
public struct IsolatedInjectors: Sendable {
  /// The copy of `Injector.default`.
  public var `default`: Injector { .default }

  /// The copy of the environment with a name.
  public subscript(name: Injector.Name) -> Injector { Injector[name] }
}
