package import GRDB

/// The orders in the database. A request changes them through its unit of work.
package struct Orders: Sendable {
  private let database: DatabasePool
  private let unitOfWork: UnitOfWork

  package init(database: DatabasePool, unitOfWork: UnitOfWork) {
    self.database = database
    self.unitOfWork = unitOfWork
  }

  package func order(_ id: String) async throws -> Order {
    guard let order = try await database.read({ try Order.fetchOne($0, key: id) }) else {
      throw ShopError.unknownOrder(id)
    }
    return order
  }

  /// Removes the goods from the stock, and adds the order.
  package func add(_ order: Order) throws {
    try unitOfWork.add { database in
      try database.execute(
        sql: "UPDATE product SET stock = stock - ? WHERE id = ? AND stock >= ?",
        arguments: [order.quantity, order.product, order.quantity])
      guard database.changesCount == 1 else { throw ShopError.outOfStock(order.product) }
    }
    try unitOfWork.add { try order.insert($0) }
  }
}
