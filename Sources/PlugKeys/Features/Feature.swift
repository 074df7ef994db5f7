public import Plug

/// A typed key that knows how to load itself: a service that needs no registration.
///
/// Use a feature for what every app needs and tests replace, such as the clock, randomness or the file system:
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
/// An instance is loaded exactly once, on the first request. A scope shares the instance of the outermost injector,
/// which is loaded there and from its services, until the scope is assigned an instance of its own.
///
/// The instance is of the key's own type, or of any other type:
///
/// ```swift
/// enum Payments: Feature {
///   static func load(in injector: Injector) throws -> any PaymentClient {
///     try LiveClient(injector[BaseURL.self])
///   }
/// }
/// ```
///
/// - Important: Get everything the instance needs while it is loaded. An instance that captures its own injector forms
///   a reference cycle with it.
public protocol Feature<Instance>: Sendable, _FeatureAsService {
  /// The type of the instance; by default the key itself.
  associatedtype Instance: Sendable = Self

  /// Makes the instance.
  ///
  /// It runs on the thread of the first request, without a lock; other threads wait for its instance.
  ///
  /// - Parameter injector: The injector that keeps the instance, and provides other features, properties and services.
  /// - Returns: The instance.
  /// - Throws: Any error that prevents the instance from being made. Nothing is kept then, and the next request tries
  ///   again.
  static func load(in injector: Injector) throws -> Instance
}
