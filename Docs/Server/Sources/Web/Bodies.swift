import Hummingbird
package import Shop

/// The body of a request that orders a product.
package struct NewOrder: Decodable, Sendable {
  package let product: Int64
  package let quantity: Int
}

/// The body of a request or a response about the promotion.
package struct Promotion: ResponseCodable, Sendable {
  package let stage: PromotionStage

  package init(stage: PromotionStage) {
    self.stage = stage
  }
}

extension Order: ResponseEncodable {}
extension Quote: ResponseEncodable {}
