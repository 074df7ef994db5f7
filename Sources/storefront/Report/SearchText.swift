import Plug

/// The search results of shoppers for a word, and the log of the providers.
struct SearchText {
  private let findings: [(shopper: Shopper, goods: [String])]
  private let log: [String]

  init(of word: String, by shoppers: [Shopper], in storefront: Storefront) throws(InjectorError) {
    var findings: [(shopper: Shopper, goods: [String])] = []
    for shopper in shoppers { findings.append((shopper, try storefront.search(word, for: shopper))) }
    self.findings = findings
    log = try storefront.searchLog()
  }
}

extension SearchText: CustomStringConvertible {
  /// A table of shoppers and goods, followed by one line for each search.
  var description: String {
    var table = Table(header: ["SHOPPER", "GOODS"])
    table.rows = findings.map { [$0.shopper.id, $0.goods.isEmpty ? "nothing" : $0.goods.joined(separator: ", ")] }
    return table.description + "\n" + log.map { "\($0)\n" }.joined()
  }
}
