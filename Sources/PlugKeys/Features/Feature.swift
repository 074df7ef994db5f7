public import Plug

/// A typed key that loads its own instance: a service that needs no registration.
///
/// Use a feature for a service that every app needs and that tests replace, such as the clock, randomness or the file
/// system:
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
/// An instance is loaded exactly once, on the first request. The outermost injector loads it from its own services, and
/// its scopes share it until they are assigned an instance of their own.
///
/// The instance has the key's type by default, and can have any other type:
///
/// ```swift
/// enum Payments: Feature {
///   static func load(in injector: Injector) throws -> any PaymentClient {
///     try LiveClient(injector[BaseURL.self])
///   }
/// }
/// ```
///
/// - Important: Get everything that the instance needs while it is loaded. An instance that captures its own injector
///   forms a reference cycle with it.
public protocol Feature<Instance>: Sendable, _FeatureAsService {
  /// The type of the instance; by default the key itself.
  associatedtype Instance: Sendable = Self

  /// Makes the instance.
  ///
  /// It runs on the thread of the first request, and no lock is held. Other threads wait for its instance.
  ///
  /// - Parameter injector: The injector that keeps the instance. Request other features, properties and services from
  ///   it.
  /// - Returns: The instance.
  /// - Throws: Any error that prevents the instance from being made. The next request then tries again.
  static func load(in injector: Injector) throws -> Instance
}
