import App
import Model
import Plug
import PlugTesting
import Shop
import Testing

/// Where two meet that run at the same time.
final class Meeting {
  private var first: CheckedContinuation<Void, Never>?

  func arrive() async {
    if let first {
      first.resume()
    } else {
      await withCheckedContinuation { first = $0 }
    }
  }
}

@Suite("What two override at the same time")
struct ParallelTests {
  private func select(_ product: Product, after meeting: Meeting) async throws -> [Product.ID] {
    try await withIsolatedInjectors {
      let navigation = RecordingNavigation()
      try ShopApp.services.override((any Navigation).self, .singleton(navigation))
      await meeting.arrive()
      try ShopApp.services.get(CatalogueModel.self).select(product)
      return navigation.path
    }
  }

  @Test("A main-actor service belongs to the one that has overridden it", .timeLimit(.minutes(10)))
  func both() async throws {
    let meeting = Meeting()
    async let tea = select(.tea, after: meeting)
    async let cup = select(.cup, after: meeting)
    #expect(try await [tea, cup] == [["tea"], ["cup"]])
  }

  @Test("Tests that run in parallel have a navigation of their own", .isolated, arguments: 0..<64)
  func many(number: Int) async throws {
    let navigation = RecordingNavigation()
    try ShopApp.services.override((any Navigation).self, .singleton(navigation))
    let products = (1...3).map { Product(id: "\(number).\($0)", name: "", cents: 0) }
    for product in products {
      await Task.yield()
      try ShopApp.services.get(CatalogueModel.self).select(product)
    }
    #expect(navigation.path == products.map(\.id))
  }
}
