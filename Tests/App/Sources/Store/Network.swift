import Model

/// Fetches lines of text from the shop's server.
package protocol Network: Sendable {
  func lines(of path: String) async throws -> [String]
}

struct HTTPNetwork: Network {
  struct Offline: Error {}

  func lines(of path: String) async throws -> [String] { throw Offline() }
}

/// The catalogue of the server.
struct ServerCatalogue: Catalogue {
  struct Unknown: Error {
    let id: Product.ID
  }

  let network: any Network

  func products() async throws -> [Product] {
    try await network.lines(of: "products").compactMap { line in
      let fields = line.split(separator: ",").map(String.init)
      guard fields.count == 3, let cents = Int(fields[2]) else { return nil }
      return Product(id: fields[0], name: fields[1], cents: cents)
    }
  }

  func product(_ id: Product.ID) async throws -> Product {
    guard let product = try await products().first(where: { $0.id == id }) else { throw Unknown(id: id) }
    return product
  }
}
