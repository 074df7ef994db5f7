/// Knows the goods for sale.
package nonisolated protocol Catalogue: Sendable {
  func products() async throws -> [Product]
  func product(_ id: Product.ID) async throws -> Product
}

/// What a shopper wants to buy.
package nonisolated protocol Basket: Sendable {
  func add(_ product: Product) async throws
  func products() async throws -> [Product]
}

/// The prices of products for a customer.
package nonisolated protocol PriceList: Sendable {
  func cents(for product: Product) -> Int
}

/// Where the user is in the app.
@MainActor
package protocol Navigation: AnyObject, Sendable {
  var path: [Product.ID] { get }
  func show(_ product: Product.ID)
}
