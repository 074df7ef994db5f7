/// Finds goods by the words in their description.
struct CatalogueSearch: SearchProvider {
  let name = "catalogue"
}

/// Finds goods by what the shopper means.
struct SemanticSearch: SearchProvider {
  let name = "semantic"
}

/// Finds goods that look like a photo.
struct PhotoSearch: SearchProvider {
  let name = "photo"
}

/// Finds goods by what the shopper says.
struct VoiceSearch: SearchProvider {
  let name = "voice"
}
