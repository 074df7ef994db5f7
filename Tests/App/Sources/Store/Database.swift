import Model

/// Keeps the baskets of all shoppers.
actor Database {
  private var baskets: [Shopper.ID: [Product]] = [:]
  private(set) var isOpen = true

  static func open() async throws -> Database {
    await Task.yield()
    return Database()
  }

  func append(_ product: Product, for shopper: Shopper.ID) {
    baskets[shopper, default: []].append(product)
  }

  func products(for shopper: Shopper.ID) -> [Product] { baskets[shopper] ?? [] }

  func close() { isOpen = false }
}

/// The basket of the shopper who is logged in.
struct SavedBasket: Basket {
  let database: Database
  let shopper: Shopper

  func add(_ product: Product) async throws { await database.append(product, for: shopper.id) }

  func products() async throws -> [Product] { await database.products(for: shopper.id) }
}
