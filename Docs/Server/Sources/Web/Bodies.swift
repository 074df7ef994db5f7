import Hummingbird
package import Shop

/// What a client sends to order something.
package struct NewOrder: Decodable, Sendable {
  package let product: Int64
  package let quantity: Int
}

/// What a client sends, and gets, about the promotion.
package struct Promotion: ResponseCodable, Sendable {
  package let stage: PromotionStage

  package init(stage: PromotionStage) {
    self.stage = stage
  }
}

extension Order: ResponseEncodable {}
extension Quote: ResponseEncodable {}
