/// A way to price the goods for a shopper.
package protocol Pricing: Sendable {
  var name: String { get }

  /// Returns the price of one piece, in cents.
  func price(of product: Product) -> Int
}

package struct ListPricing: Pricing {
  package let name = "list"
  package init() {}
  package func price(of product: Product) -> Int { product.price }
}

package struct MemberPricing: Pricing {
  package let name = "member"
  private let discount: Int

  package init(shopper: Shopper) {
    discount = shopper.tier == .platinum ? 10 : 5
  }

  package func price(of product: Product) -> Int { product.price * (100 - discount) / 100 }
}

package struct PromotionPricing: Pricing {
  package let name = "promotion"
  package init() {}
  package func price(of product: Product) -> Int { product.price * 80 / 100 }
}
