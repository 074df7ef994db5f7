public import PlugKeys

/// The phase of a server's life.
///
/// It is a property of the injector: `services[Phase.self]`. ``InjectorService`` and ``DrainService`` set it.
public enum Phase: String, Sendable {
  /// The injector is starting, and the server refuses requests.
  case starting

  /// The server answers requests.
  case serving

  /// The server still answers requests, but load balancers should send no more.
  case draining
}

extension Phase: Property {
  /// The phase before the injector has started.
  public static var defaultValue: Phase { .starting }
}
