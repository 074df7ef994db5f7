package import Hummingbird
import Metrics

/// Measures the requests: how many, how long, and how many of them failed.
package struct RequestMetrics<Context: RequestContext>: RouterMiddleware {
  private let duration = Timer(label: "orders.requests")
  private let failures = Counter(label: "orders.failures")

  package init() {}

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
