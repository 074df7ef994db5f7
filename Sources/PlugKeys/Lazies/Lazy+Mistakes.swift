// Overloads that nobody can call: with them, the compiler says what is wrong with a likely mistake, and what to write.
// `Tests/Refused` shows each one.

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
  @available(*, unavailable, message: "register what it gets: register(injectable: .weakSingleton(lazy.get))")
  @discardableResult
  public func register<Service: Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil, _ lazy: WeakLazy<Service>
  ) throws(InjectorError) -> Injector { fatalError() }
}
