/// A provider that searches the catalogue.
protocol SearchProvider: Sendable {
  var name: String { get }

  /// Returns the names of the goods that match a word.
  func find(_ word: String) -> [String]
}
