/// What the shop draws attention to at the moment.
protocol Campaign: Sendable {
  var slogan: String { get }
}
