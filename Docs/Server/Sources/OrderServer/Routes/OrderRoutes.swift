import Hummingbird
import Plug
import PlugFeatures
import PlugHummingbird
import Shop
import Web

extension RouterMethods<ShopContext> {
  /// `POST /orders` and `GET /orders/:id`.
  func addOrders() {
    post("orders") { request, context in
      let new = try await request.decode(as: NewOrder.self, context: context)
      let scope = try Injector.request
      let order = try await scope.get(Checkout.self)
        .order(scope.uuids.next().uuidString, product: new.product, quantity: new.quantity)
      return EditedResponse(status: .created, headers: [.location: "/orders/\(order.id)"], response: order)
    }
    get("orders/:id") { _, context in
      try await Injector.request.get(Orders.self).order(context.parameters.require("id"))
    }
  }
}
