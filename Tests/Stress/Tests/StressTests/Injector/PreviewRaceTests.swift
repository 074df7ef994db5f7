import Plug
import PlugIsolation
import TestSupport
import Testing

private protocol Prices: Sendable { var price: Int { get } }

private struct Fixed: Prices { let price: Int }

/// A service that an injector keeps, with an injected property of its own.
private final class Catalog: Sendable {
  private let prices: Injected<any Prices>
  init(injector: Injector) { prices = Injected(injector: injector) }
  var price: Int { prices.wrappedValue.price }
}

private struct Model: Sendable {
  @Injected private var catalog: Catalog
  init(_ injector: Injector) {
    _catalog = Injected(injector: injector)
  }
  var shown: Catalog { catalog }
}

/// A sealed shop whose prices are 10.
private func shop() throws -> Injector {
  let shop = Injector("shop")
  try shop.register(as: (any Prices).self) { Fixed(price: 10) }
  try shop.register { Catalog(injector: $0) }
  try shop.register(injectable: .factory { Model($0) })
  try shop.seal()
  return shop
}

@Suite("Previews whose properties several threads read first", .repeatable)
struct PreviewRaceTests {
  @Test("All threads that read a property first at once get the same instance")
  func race() async throws {
    let shop = try shop()
    try await Rounds.run(20) { round in
      let price = round.number
      let model = try Injector.preview {
        try shop.register(as: (any Prices).self) { Fixed(price: price) }
        return Model(shop)
      }
      let catalogs = await withTaskGroup(of: ObjectIdentifier.self) { group in
        for _ in 0..<8 { group.addTask { ObjectIdentifier(model.shown) } }
        return await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(catalogs == [ObjectIdentifier(model.shown)])
      #expect(model.shown.price == price)
    }
  }
}
