import Plug
import PlugKeys

/// Finds goods by the words in their names.
struct CatalogueSearch: SearchProvider {
  let name = "catalogue"
  let catalogue: Catalogue

  func find(_ word: String) -> [String] {
    catalogue.goods.map(\.name).filter { $0.contains(word) }
  }
}

/// The share of all shoppers to whom the semantic search is rolled out, in percent: it can be changed at any time.
enum SemanticShare: Property {
  static var defaultValue: Double { 50 }
}

/// Finds goods by the meaning of the shopper's words.
struct SemanticSearch: SearchProvider {
  let name = "semantic"
  let catalogue: Catalogue

  func find(_ word: String) -> [String] {
    catalogue.goods.filter { $0.name.contains(word) || $0.topics.contains(word) }.map(\.name)
  }
}

/// Finds goods that look like a photo; a word shows nothing.
struct PhotoSearch: SearchProvider {
  let name = "photo"

  func find(_ word: String) -> [String] { [] }
}

/// Finds goods by the shopper's spoken words, regardless of case.
struct VoiceSearch: SearchProvider {
  let name = "voice"
  let catalogue: Catalogue

  func find(_ word: String) -> [String] {
    CatalogueSearch(catalogue: catalogue).find(word.lowercased())
  }
}
