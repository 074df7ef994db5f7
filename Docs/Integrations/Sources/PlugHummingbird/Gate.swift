public import Hummingbird
public import PlugServiceLifecycle

/// A middleware that refuses requests until the server has started.
///
/// It answers with the status 503 while the phase is ``PlugServiceLifecycle/Phase/starting``, so that handlers call
/// `get` and never wait for a construction:
///
/// ```swift
/// let shop = router.group().add(middleware: Gate { services[Phase.self] })
/// ```
public struct Gate<Context: RequestContext>: RouterMiddleware {
  private let phase: @Sendable () -> Phase

  /// Creates a middleware.
  ///
  /// - Parameter phase: Returns the phase of the server.
  public init(phase: @escaping @Sendable () -> Phase) {
    self.phase = phase
  }

  /// Passes a request on if the server has started.
  ///
  /// - Throws: An `HTTPError` with the status 503 if it has not.
  public func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard phase() != .starting else {
      throw HTTPError(.serviceUnavailable, headers: [.retryAfter: "1"], message: "The server is starting.")
    }
    return try await next(request, context)
  }
}

extension RouterMethods {
  /// Adds `GET /health`, which answers with the phase: 200 while a load balancer should send requests, otherwise 503.
  ///
  /// - Parameter phase: Returns the phase of the server.
  public func addHealth(phase: @escaping @Sendable () -> Phase) {
    get("health") { _, _ in
      let phase = phase()
      return EditedResponse(status: phase == .serving ? .ok : .serviceUnavailable, response: phase.rawValue)
    }
  }
}
