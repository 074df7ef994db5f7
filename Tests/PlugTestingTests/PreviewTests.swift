import Plug
import PlugIsolation
import Synchronization
import TestSupport
import Testing

private protocol Prices: Sendable { var price: Int { get } }

private struct Fixed: Prices { let price: Int }

/// Records its closing and its release.
private final class Register: Sendable {
  let ends: Ends
  init(_ ends: Ends) { self.ends = ends }
  deinit { ends.add("released") }
}

private final class Ends: Sendable {
  private let log = Mutex<[String]>([])
  var all: [String] { log.withLock { $0 } }
  func add(_ what: String) { log.withLock { $0.append(what) } }
}

/// A service that an injector keeps, with an injected property of its own.
private final class Catalog: Sendable {
  private let prices: Injected<any Prices>
  init(injector: Injector) { prices = Injected(injector: injector) }
  var price: Int { prices.wrappedValue.price }
}

private struct Model: Sendable {
  @Injected private var prices: any Prices
  @Injected private var catalog: Catalog
  init(_ injector: Injector) {
    _prices = Injected(injector: injector)
    _catalog = Injected(injector: injector)
  }
  var price: Int { prices.price }
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

@Suite("Previews")
struct PreviewTests {
  @Test("A value that a preview makes gets the preview's services, not the sealed injector's, and keeps them")
  func override() throws {
    let shop = try shop()
    let model = try Injector.preview {
      try shop.register(as: (any Prices).self) { Fixed(price: 3) }
      return Model(shop)
    }
    #expect(model.price == 3)
    #expect(model.shown.price == 3)
    #expect(try shop.get((any Prices).self).price == 10)
    #expect(try shop.get(Catalog.self).price == 10)
    #expect(shop.isSealed)
  }

  @Test("A value that a factory makes gets the preview's services too")
  func factory() throws {
    let shop = try shop()
    let model = try Injector.preview {
      try shop.register(as: (any Prices).self) { Fixed(price: 3) }
      return try shop.get(Model.self)
    }
    #expect([model.price, model.shown.price] == [3, 3])
    #expect(try shop.get(Model.self).price == 10)
  }

  @Test("A later registration in a preview replaces an earlier one, and a service can be removed")
  func changes() throws {
    let shop = try shop()
    let prices = try Injector.preview {
      try shop.register(as: (any Prices).self) { Fixed(price: 3) }
      try shop.register(as: (any Prices).self) { Fixed(price: 4) }
      try shop.unregister(Catalog.self)
      #expect(!shop.isRegistered(Catalog.self))
      return try shop.get((any Prices).self).price
    }
    #expect(prices == 4)
    #expect(shop.isRegistered(Catalog.self))
  }

  @Test("A preview is kept forever, so that no service is closed while it is shown")
  func kept() throws {
    let (shop, ends) = (Injector("shop"), Ends())
    try shop.register(as: (any Prices).self) { Fixed(price: 10) }
    try shop.register(injectable: .lazySingleton { Register(ends) }.onClose { _ in ends.add("closed") })
    try shop.register { Catalog(injector: $0) }
    var model: Model? = try Injector.preview {
      _ = try shop.get(Register.self)
      return Model(shop)
    }
    weak let catalog = model?.shown
    model = nil
    #expect(ends.all == [])
    #expect(catalog?.price == 10)
  }

  @Test("A singleton of the preview can be returned and shown by itself")
  func keptInstances() throws {
    let shop = try shop()
    let catalog = try Injector.preview {
      try shop.register(as: (any Prices).self) { Fixed(price: 3) }
      return try shop.get(Catalog.self)
    }
    #expect(catalog.price == 3)
    #expect(try shop.get(Catalog.self).price == 10)
  }

  @Test("A preview whose closure throws releases its instances and registrations")
  func failure() throws {
    struct Failure: Error, Equatable {}
    let (shop, ends) = (try shop(), Ends())
    #expect(throws: Failure()) {
      try Injector.preview {
        try shop.register { Register(ends) }
        _ = try shop.get(Register.self)
        throw Failure()
      }
    }
    #expect(ends.all == ["released"])
    #expect(!shop.isRegistered(Register.self))
  }

  @Test("Code that later runs in the preview's isolation gets the preview's services, and other code does not")
  func isolation() throws {
    let shop = try shop()
    let isolation = try Injector.preview {
      try shop.register(as: (any Prices).self) { Fixed(price: 3) }
      return TestIsolation.current
    }
    #expect(try isolation.run { try shop.get((any Prices).self).price } == 3)
    #expect(try shop.get((any Prices).self).price == 10)
    #expect(Model(shop).price == 10)
    #expect(isolation.run { Model(shop) }.price == 3)
  }

  @Test("A nested preview begins with the registrations of the outer one")
  func nesting() throws {
    let shop = try shop()
    let (outer, inner) = try Injector.preview {
      try shop.register(as: (any Prices).self) { Fixed(price: 3) }
      let inner = try Injector.preview {
        let model = Model(shop)
        #expect(model.price == 3)
        try shop.register(as: (any Prices).self) { Fixed(price: 2) }
        return Model(shop)
      }
      return (Model(shop), inner)
    }
    #expect([outer.price, inner.price, Model(shop).price] == [3, 2, 10])
  }

  @Test("A preview can load services asynchronously")
  func loading() async throws {
    let shop = try shop()
    let model = try await Injector.preview {
      try shop.register(
        as: (any Prices).self,
        injectable: .lazySingleton {
          await Task.yield()
          return Fixed(price: 3)
        })
      _ = try await shop.load((any Prices).self)
      return Model(shop)
    }
    #expect([model.price, model.shown.price] == [3, 3])
    #expect(try shop.get((any Prices).self).price == 10)
  }

  @Test("A service that first reads a property while it closes gets the preview's service")
  func closing() throws {
    let (shop, ends) = (try shop(), Ends())
    let isolation = try Injector.preview {
      try shop.register(as: (any Prices).self) { Fixed(price: 3) }
      try shop.register(
        injectable: .lazySingleton { Catalog(injector: $0) }.onClose { ends.add("closed at \($0.price)") })
      return TestIsolation.current
    }
    try isolation.run {
      _ = try shop.get(Catalog.self)
      shop.reset()
    }
    #expect(ends.all == ["closed at 3"])
  }
}

@Suite("Previews on several threads")
struct PreviewRaceTests {
  @Test("Each of 64 parallel previews has its own services, and the injector keeps its own")
  func parallel() async throws {
    let shop = try shop()
    let prices = try await withThrowingTaskGroup(of: (Int, [Int]).self) { group in
      for price in 0..<64 {
        group.addTask {
          let models = try (0..<20).map { round in
            try Injector.preview {
              try shop.register(as: (any Prices).self) { Fixed(price: price * 100 + round) }
              return round % 2 == 0 ? Model(shop) : try shop.get(Model.self)
            }
          }
          await Task.yield()
          #expect(try shop.get((any Prices).self).price == 10)
          return (price, models.map { max($0.price, $0.shown.price) })
        }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    #expect(prices.count == 64)
    for (price, seen) in prices { #expect(seen == (0..<20).map { price * 100 + $0 }) }
    #expect(try shop.get(Catalog.self).price == 10)
  }
}
