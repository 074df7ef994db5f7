/// An error that the shopper can resolve. It is a response to the client, not a failure of the server.
package enum ShopError: Error, Equatable {
  case unknownProduct(Int64)
  case unknownOrder(String)
  case outOfStock(Int64)
  case invalidQuantity(Int)
}
