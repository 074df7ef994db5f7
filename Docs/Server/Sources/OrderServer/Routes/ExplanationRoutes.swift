import Hummingbird
import Plug
import PlugHummingbird
import PlugOperations
import Shop
import Web

extension RouterMethods<ShopContext> {
  /// `GET /explain/:service`: explains the choices for the shopper of the request, as text or as JSON.
  func addExplanations() {
    get("explain/:service") { request, context in
      let service = try context.parameters.require("service")
      guard let explanation = try Injector.request.explanation(of: service) else { throw HTTPError(.notFound) }
      if request.headers[.accept]?.contains("application/json") == true {
        return try JSON(explanation).response(from: request, context: context)
      }
      return "\(explanation)\n".response(from: request, context: context)
    }
  }
}

extension Injector {
  fileprivate func explanation(of service: String) throws -> Explanation? {
    switch service {
    case "pricing": try explain((any Pricing).self, in: self)
    case "shipping": try explain((any Shipping).self, in: get(Shopper.self))
    case "payment": try explain((any Payment).self, in: get(Shopper.self))
    default: nil
    }
  }
}
