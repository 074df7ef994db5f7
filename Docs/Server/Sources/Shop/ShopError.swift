/// What a shopper can do about: an answer, not a failure of the server.
package enum ShopError: Error, Equatable {
  case unknownProduct(Int64)
  case unknownOrder(String)
  case outOfStock(Int64)
  case invalidQuantity(Int)
}
