package import Logging

/// Quotes the price of an order for the shopper of a request.
package struct QuoteDesk: Sendable {
  private let products: Products
  private let pricing: any Pricing
  private let shipping: any Shipping
  private let taxes: Taxes
  private let logger: Logger

  package init(products: Products, pricing: any Pricing, shipping: any Shipping, taxes: Taxes, logger: Logger) {
    self.products = products
    self.pricing = pricing
    self.shipping = shipping
    self.taxes = taxes
    self.logger = logger
  }

  package func quote(_ id: Int64, quantity: Int) async throws -> Quote {
    guard 1...1000 ~= quantity else { throw ShopError.invalidQuantity(quantity) }
    let product = try await products.product(id)
    let goods = pricing.price(of: product) * quantity
    let delivery = shipping.cost(of: product.weight * quantity)
    let tax = taxes.tax(on: goods + delivery)
    logger.debug("quoted", metadata: ["pricing": "\(pricing.name)", "shipping": "\(shipping.name)"])
    return Quote(
      product: id, quantity: quantity, pricing: pricing.name, shipping: shipping.name, goods: goods,
      delivery: delivery, tax: tax, total: goods + delivery + tax)
  }
}
