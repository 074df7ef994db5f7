package import Hummingbird
import Logging
import Plug
import Shop

/// Turns errors into responses, and logs the errors that the client cannot resolve.
///
/// The text of an `InjectorError` names services, files and values: log it, but never send it to the client.
package struct ErrorAnswers<Context: RequestContext>: RouterMiddleware {
  package init() {}

  package func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch {
      let answer = HTTPError.answer(to: error)
      if answer.status.kind == .serverError {
        context.logger.error("failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
      }
      return try answer.response(from: request, context: context)
    }
  }
}

extension HTTPError {
  fileprivate static func answer(to error: any Error) -> any HTTPResponseError {
    switch error {
    case ShopError.unknownProduct(let id): HTTPError(.notFound, message: "There is no product \(id).")
    case ShopError.unknownOrder(let id): HTTPError(.notFound, message: "There is no order \(id).")
    case ShopError.outOfStock(let id): HTTPError(.conflict, message: "Product \(id) is out of stock.")
    case ShopError.invalidQuantity: HTTPError(.badRequest, message: "The quantity must be in 1...1000.")
    // The error of the factory decides, such as a header that the factory could not read.
    case InjectorError.constructionFailed(_, let underlying): answer(to: underlying)
    case InjectorError.closed, InjectorError.notLoaded, InjectorError.timedOut: HTTPError(.serviceUnavailable)
    case let error as any HTTPResponseError: error
    default: HTTPError(.internalServerError)
    }
  }
}
