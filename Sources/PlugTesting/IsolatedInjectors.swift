public import Plug

/// The private copies that an isolated test has.
public struct IsolatedInjectors: Sendable {
  /// The copy of ``Plug/Injector/default``.
  public var `default`: Injector { .default }

  /// The copy of what is found by a name.
  public subscript(name: Injector.Name) -> Injector { Injector[name] }
}
