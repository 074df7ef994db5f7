package import Hummingbird
package import Metrics

/// Measures requests: their number, their duration, and the number of failures.
package struct RequestMetrics<Context: RequestContext>: RouterMiddleware {
  private let duration: Timer
  private let failures: Counter

  /// - Parameter factory: Makes the recorders. The default is the factory that the program has chosen.
  package init(factory: any MetricsFactory = MetricsSystem.factory) {
    duration = Timer(label: "orders.requests", factory: factory)
    failures = Counter(label: "orders.failures", factory: factory)
  }

  package func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    let start = ContinuousClock.now
    defer { duration.record(duration: start.duration(to: .now)) }
    let response = try await next(request, context)
    if response.status.kind == .serverError { failures.increment() }
    return response
  }
}
