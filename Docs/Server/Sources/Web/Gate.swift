package import Hummingbird

/// Lets requests in once the server has started.
package struct Gate<Context: RequestContext>: RouterMiddleware {
  private let phase: @Sendable () -> Phase

  package init(phase: @escaping @Sendable () -> Phase) {
    self.phase = phase
  }

  package func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard phase() != .starting else {
      throw HTTPError(.serviceUnavailable, headers: [.retryAfter: "1"], message: "The server is starting.")
    }
    return try await next(request, context)
  }
}

extension RouterMethods {
  /// `GET /health`: 200 while a load balancer should send requests, otherwise 503.
  package func addHealth(phase: @escaping @Sendable () -> Phase) {
    get("health") { _, _ in
      let phase = phase()
      return EditedResponse(status: phase == .serving ? .ok : .serviceUnavailable, response: phase.rawValue)
    }
  }
}
