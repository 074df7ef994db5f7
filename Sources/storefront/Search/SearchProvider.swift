/// Something that finds goods.
protocol SearchProvider: Sendable {
  var name: String { get }
}
