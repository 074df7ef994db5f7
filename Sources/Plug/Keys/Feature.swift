/// A typed key that knows how to load itself: a service that needs no registration.
///
/// ```swift
/// struct Clock: Feature {
///   var now: @Sendable () -> Double
///   static func constant(_ time: Double) -> Clock { Clock { time } }
///   static func load(in injector: Injector) -> Clock {
///     let epoch = injector[Epoch.self]
///     return Clock { epoch + uptime() }
///   }
/// }
///
/// services[Clock.self].now()
/// services[Clock.self] = .constant(0)
/// services.reset(Clock.self)
/// ```
///
/// It is loaded at the first request, exactly once. A scope shares what the outermost injector has, which is loaded
/// there, from what that has; until the scope is given its own. Take from the injector what is needed while it is
/// loaded: an instance that captures its own injector keeps it alive for ever. The instance is of the key's own type,
/// or of any other:
///
/// ```swift
/// enum Payments: Feature {
///   static func load(in injector: Injector) throws -> any PaymentClient { try LiveClient(injector[BaseURL.self]) }
/// }
/// ```
public protocol Feature<Instance>: Sendable {
  /// The type of the instance.
  associatedtype Instance: Sendable = Self

  /// Makes the instance.
  ///
  /// - Parameter injector: Where other features, properties and services can be got.
  /// - Throws: Whatever keeps it from being made; nothing is kept then, and the next request tries again.
  static func load(in injector: Injector) throws -> Instance
}
