/// What the shop currently advertises.
protocol Campaign: Sendable {
  var slogan: String { get }
}
