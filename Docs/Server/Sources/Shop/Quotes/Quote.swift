/// The price of an order in cents, with its parts.
package struct Quote: Codable, Sendable, Equatable {
  package let product: Int64
  package let quantity: Int
  package let pricing: String
  package let shipping: String
  package let goods: Int
  package let delivery: Int
  package let tax: Int
  package let total: Int
}
