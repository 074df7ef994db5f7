import HTTPTypes
package import Hummingbird
import HummingbirdCore
package import Plug
import PlugKeys

/// The headers of the request that a scope serves.
enum Headers: Property {
  static var defaultValue: HTTPFields { [:] }
}

extension HTTPServerBuilder {
  /// Serves HTTP/1.1 with a scope for each request, in which the request is routed, handled and answered.
  ///
  /// A middleware of the router would see neither the writing of the body nor its failure. Here, the scope ends after
  /// the last byte of the answer, however it was written and whatever went wrong.
  package static func http1(scopesOf services: Injector) -> HTTPServerBuilder {
    HTTPServerBuilder { respond in
      HTTP1Channel { request, writer, channel in
        // A closure cannot consume what it captures. It can take it out of an optional.
        var writer = Optional(writer)
        try await services.withScope("request") { @concurrent scope in
          guard let writer = writer.take() else { return }
          try scope.set(Headers.self, to: request.headers)
          try await respond(request, writer, channel)
        }
      }
    }
  }
}

extension Injector {
  /// The scope of the request that the calling task answers.
  package static var request: Injector {
    get throws {
      guard let current else { throw HTTPError(.internalServerError) }
      return current
    }
  }
}
