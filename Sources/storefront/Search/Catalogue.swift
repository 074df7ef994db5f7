import Foundation

/// All goods of the shop.
struct Catalogue: Sendable {
  /// One article of the catalogue.
  struct Good: Sendable, Decodable {
    let name: String

    /// The occasions and purposes the article suits.
    let topics: [String]
  }

  let goods: [Good]

  /// Reads the goods off the caller's actor, as a larger shop would from a server.
  @concurrent
  static func load() async throws -> Catalogue {
    Catalogue(goods: try JSONDecoder().decode([Good].self, from: Data(PackageResources.goods_json)))
  }
}
