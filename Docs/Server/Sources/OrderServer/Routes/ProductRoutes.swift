import Hummingbird
import Plug
import PlugHummingbird
import Shop
import Web

extension RouterMethods<ShopContext> {
  /// `GET /products`: the products of the shop. `GET /products/:id/quote`: the price of a quantity for the shopper.
  func addProducts() {
    get("products") { _, _ in
      try await Injector.request.get(Products.self).all()
    }
    get("products/:id/quote") { request, context in
      let id = try context.parameters.require("id", as: Int64.self)
      let quantity = request.uri.queryParameters.get("quantity", as: Int.self) ?? 1
      return try await Injector.request.get(QuoteDesk.self).quote(id, quantity: quantity)
    }
  }
}
