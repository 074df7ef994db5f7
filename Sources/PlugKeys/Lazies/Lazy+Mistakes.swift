// Unavailable overloads, with which the compiler explains a likely mistake and its fix. `Tests/Refused` shows each one.

public import Plug

extension Injector {
  /// Refuses a lazy value in place of its `get` method.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "register what it gets: register(lazy.get)")
  @discardableResult
  public func register<Service: Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil, _ lazy: Lazy<Service>
  ) throws(InjectorError) -> Injector { fatalError() }

  /// Refuses a weak lazy value in place of its `get` method.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "register what it gets: register(.weakSingleton(lazy.get))")
  @discardableResult
  public func register<Service: Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil, _ lazy: WeakLazy<Service>
  ) throws(InjectorError) -> Injector { fatalError() }
}
