import GRDB

/// An order that a shopper has placed.
package struct Order: Codable, Sendable, Equatable, FetchableRecord, PersistableRecord {
  package static let databaseTableName = "order"

  package let id: String
  package let shopper: String
  package let product: Int64
  package let quantity: Int

  /// The total that the shopper pays, in cents.
  package let total: Int

  package let payment: String
}
