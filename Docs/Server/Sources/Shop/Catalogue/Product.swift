import GRDB

/// A product that the shop sells.
package struct Product: Codable, Sendable, Equatable, FetchableRecord, PersistableRecord {
  package static let databaseTableName = "product"

  package let id: Int64
  package let name: String

  /// The price of one piece, in cents.
  package let price: Int

  /// The weight of one piece, in grams.
  package let weight: Int

  /// The number of pieces in stock.
  package let stock: Int

  package init(id: Int64, name: String, price: Int, weight: Int, stock: Int) {
    self.id = id
    self.name = name
    self.price = price
    self.weight = weight
    self.stock = stock
  }
}
