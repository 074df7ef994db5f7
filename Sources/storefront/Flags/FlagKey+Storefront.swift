import PlugFlags

extension FlagKey<Int> {
  /// The maximum number of goods that a search shows.
  static let searchResults = FlagKey("search-results", default: 1_000)
}
