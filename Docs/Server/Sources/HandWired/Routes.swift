import Foundation
import Hummingbird
import PlugHummingbird
import Shop
import Web

func makeRouter(services: Services) -> Router<ShopContext> {
  let router = Router(context: ShopContext.self)
  router.add(middleware: RequestMetrics())
  router.add(middleware: ErrorAnswers())
  router.addHealth { services.phase }
  let shop = router.group().add(middleware: Gate { services.phase })
  shop.get("products") { request, _ in
    try await Products(database: RequestServices(services: services, headers: request.headers).database).all()
  }
  shop.get("products/:id/quote") { request, context in
    let id = try context.parameters.require("id", as: Int64.self)
    let quantity = request.uri.queryParameters.get("quantity", as: Int.self) ?? 1
    return try await RequestServices(services: services, headers: request.headers).makeDesk()
      .quote(id, quantity: quantity)
  }
  shop.post("orders") { request, context in
    let new = try await request.decode(as: NewOrder.self, context: context)
    let (checkout, unitOfWork) = try RequestServices(services: services, headers: request.headers).makeCheckout()
    defer { unitOfWork.close() }
    let order = try await checkout.order(UUID().uuidString, product: new.product, quantity: new.quantity)
    return EditedResponse(status: .created, headers: [.location: "/orders/\(order.id)"], response: order)
  }
  shop.put("promotion") { request, context in
    let promotion = try await request.decode(as: Promotion.self, context: context)
    services.promotion = promotion.stage
    return promotion
  }
  return router
}
