import PlugFlags

extension FlagKey<Int> {
  /// How many goods a search shows at most.
  static let searchResults = FlagKey("search-results", default: 1_000)
}
