import Hummingbird
import Plug
import PlugOperations
import Web

/// Refuses requests without the token of the operators.
struct Operators<Context: RequestContext>: RouterMiddleware {
  /// The token; if it is `nil`, all requests are refused.
  let token: String?

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard let token, request.headers[.authorization] == "Bearer \(token)" else { throw HTTPError(.unauthorized) }
    return try await next(request, context)
  }
}

/// The body of a request that switches a candidate.
private struct NewSwitch: Decodable {
  let action: Switches.Switch.Action
  let reason: String
}

extension RouterMethods<ShopContext> {
  /// `GET /report`, and `GET`, `PUT` and `DELETE` for `/switches`: the routes for operating the server.
  func addOperating(of services: Injector) {
    get("report") { _, _ in JSON(services.report()) }
    get("switches") { _, _ in JSON(services[Switches.self]) }
    put("switches/:point/:candidate") { request, context in
      let (point, candidate) = (try context.parameters.require("point"), try context.parameters.require("candidate"))
      let new = try await request.decode(as: NewSwitch.self, context: context)
      try services.set(new, candidate, at: point)
      return JSON(services[Switches.self])
    }
    delete("switches/:point/:candidate") { _, context in
      let (point, candidate) = (try context.parameters.require("point"), try context.parameters.require("candidate"))
      try services.restore(candidate, at: point)
      return JSON(services[Switches.self])
    }
  }
}

extension Injector {
  fileprivate func set(_ new: NewSwitch, _ candidate: String, at point: String) throws {
    do throws(InjectorError) {
      switch new.action {
      case .disabled: try disable(candidate, at: point, because: new.reason)
      case .forced: try force(candidate, at: point, because: new.reason)
      }
    } catch {
      guard case .notRegistered = error else { throw error }
      let hint = error.facts.nearest.map { " Did you mean \($0)?" } ?? ""
      throw HTTPError(.notFound, message: "There is no candidate \(candidate) at \(point).\(hint)")
    }
  }
}
