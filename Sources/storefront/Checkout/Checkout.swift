/// The steps from the basket to the order.
protocol Checkout: Sendable {
  var name: String { get }

  /// The pages that the shopper goes through.
  var pages: [String] { get }
}
