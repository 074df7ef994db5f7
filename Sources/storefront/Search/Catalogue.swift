import Foundation

/// All that the shop sells.
struct Catalogue: Sendable {
  /// Something that can be bought.
  struct Good: Sendable, Decodable {
    let name: String

    /// What it is for.
    let topics: [String]
  }

  let goods: [Good]

  /// Reads the goods, as a larger shop would from a server: not on the thread that shows something.
  @concurrent
  static func load() async throws -> Catalogue {
    Catalogue(goods: try JSONDecoder().decode([Good].self, from: Data(PackageResources.goods_json)))
  }
}
