package import GRDB
import Synchronization

/// The products for one request. Each product is read once, so that its price cannot change during the request.
package final class Products: Sendable {
  private let database: DatabasePool
  private let known = Mutex<[Int64: Product]>([:])

  package init(database: DatabasePool) {
    self.database = database
  }

  package func all() async throws -> [Product] {
    try await database.read { try Product.order(Column("id")).fetchAll($0) }
  }

  package func product(_ id: Int64) async throws -> Product {
    if let product = known.withLock({ $0[id] }) { return product }
    guard let product = try await database.read({ try Product.fetchOne($0, key: id) }) else {
      throw ShopError.unknownProduct(id)
    }
    known.withLock { $0[id] = product }
    return product
  }
}
