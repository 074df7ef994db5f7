/// A provider that searches the catalogue.
protocol SearchProvider: Sendable {
  var name: String { get }

  /// The names of the goods that are found for a word.
  func find(_ word: String) -> [String]
}
