/// The current campaign of the shop.
protocol Campaign: Sendable {
  var slogan: String { get }
}
