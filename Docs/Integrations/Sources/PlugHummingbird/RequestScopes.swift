public import Hummingbird
public import HummingbirdCore
import Logging
public import Plug

extension HTTPServerBuilder {
  /// Serves HTTP/1.1 with a scope for each request, in which the request is routed, handled and answered.
  ///
  /// ```swift
  /// let application = Application(
  ///   router: router,
  ///   server: .http1(scopesOf: services) { scope, request in
  ///     try scope.set(Headers.self, to: request.headerFields)
  ///   })
  /// ```
  ///
  /// The scope is the current injector of the request's task. It closes after the last byte of the response, also if
  /// the handler throws, the client has gone, or a streamed body fails half-way. A middleware of the router cannot do
  /// that, because it returns before the body is written. So this package has no such middleware. If your handlers need
  /// the scope and your streamed bodies do not, a middleware of your own that calls `withScope` is enough.
  ///
  /// If `prepare` throws, the request is not routed, and no middleware sees the error. An `HTTPResponseError` makes its
  /// own response. Other errors become the status 500 without a body; `Logger.current` logs them. To let middlewares
  /// answer mistakes of clients, set the raw input here, and parse it in the factory of a scoped service.
  ///
  /// - Parameters:
  ///   - services: The injector that the scopes belong to.
  ///   - prepare: Receives the scope and the head of the request, and sets or registers the inputs of the scope.
  public static func http1(
    scopesOf services: Injector,
    _ prepare: @escaping @Sendable (_ scope: Injector, _ request: HTTPRequest) throws -> Void = { _, _ in }
  ) -> HTTPServerBuilder {
    HTTPServerBuilder { respond in
      HTTP1Channel { request, writer, channel in
        // A closure cannot consume a captured value, but it can take the value out of an optional.
        var writer = Optional(writer)
        try await services.withScope("request") { @concurrent scope in
          guard let writer = writer.take() else { return }
          do {
            try prepare(scope, request.head)
          } catch {
            let context = BasicRequestContext(source: .init(channel: channel, logger: .current))
            let response = Response(to: error, from: request, context: context)
            return try await writer.write(response: response.head, body: response.body)
          }
          try await respond(request, writer, channel)
        }
      }
    }
  }
}

extension Response {
  /// The response that hummingbird makes of an error.
  fileprivate init(to error: any Error, from request: Request, context: BasicRequestContext) {
    if let answer = try? (error as? any HTTPResponseError)?.response(from: request, context: context) {
      self = answer
    } else {
      context.logger.error("The scope of a request could not be prepared.", metadata: ["error": "\(error)"])
      self.init(status: .internalServerError)
    }
  }
}

extension Injector {
  /// The scope of the request that the current task handles.
  ///
  /// - Throws: An `HTTPError` with the status 500 if the task runs in no scope.
  public static var request: Injector {
    get throws {
      guard let current else { throw HTTPError(.internalServerError) }
      return current
    }
  }
}
