import Hummingbird
import Plug
import Web

extension RouterMethods<ShopContext> {
  /// `GET /promotion` and `PUT /promotion`: the stage of the promotion. A change applies from the next request on.
  func addPromotion(of services: Injector) {
    get("promotion") { _, _ in
      Promotion(stage: services[CurrentPromotion.self])
    }
    put("promotion") { request, context in
      let promotion = try await request.decode(as: Promotion.self, context: context)
      services[CurrentPromotion.self] = promotion.stage
      return promotion
    }
  }
}
