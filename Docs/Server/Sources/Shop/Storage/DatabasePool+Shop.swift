package import GRDB

extension DatabasePool {
  /// Opens the database of the shop, and brings its tables up to date.
  package static func shop(at path: String) async throws -> DatabasePool {
    var configuration = Configuration()
    configuration.prepareDatabase { database in
      // With a write-ahead log, commits survive a crash of the server by GRDB's default, and of the machine by this.
      try database.execute(sql: "PRAGMA synchronous = FULL")
    }
    let pool = try DatabasePool(path: path, configuration: configuration)
    try await pool.migrateShop()
    return pool
  }

  private func migrateShop() async throws {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("products") { database in
      try database.create(table: "product") { table in
        table.primaryKey("id", .integer)
        table.column("name", .text).notNull()
        table.column("price", .integer).notNull()
        table.column("weight", .integer).notNull()
        table.column("stock", .integer).notNull()
      }
      for product in Product.assortment { try product.insert(database) }
    }
    migrator.registerMigration("orders") { database in
      try database.create(table: "order") { table in
        table.primaryKey("id", .text)
        table.column("shopper", .text).notNull()
        table.column("product", .integer).notNull().references("product")
        table.column("quantity", .integer).notNull()
        table.column("total", .integer).notNull()
        table.column("payment", .text).notNull()
      }
    }
    try await withCheckedThrowingContinuation { continuation in
      migrator.asyncMigrate(self) { continuation.resume(with: $0.map { _ in }) }
    }
  }
}

extension Product {
  /// The products of a new shop.
  fileprivate static var assortment: [Product] {
    [
      Product(id: 1, name: "Teapot", price: 24_90, weight: 900, stock: 1_000_000),
      Product(id: 2, name: "Kettle", price: 39_50, weight: 1_400, stock: 1_000_000),
      Product(id: 3, name: "Tray", price: 18_00, weight: 2_100, stock: 3),
      Product(id: 4, name: "Cup", price: 6_50, weight: 250, stock: 1_000_000),
    ]
  }
}
