import Plug
import PlugOperations
import TestSupport

extension Scenario {
  /// A factory that opens a scope for each user, and gets an instance there that no other scope may get.
  static let graphs = Scenario("graphs") { round, _ in
    var random = round.random
    let injector = Injector("graphs")
    let source = Source("of a user", in: injector, round)
    let users = random.number(in: 2...12)
    let (isGraph, keepsScopes, isNested) = (random.chance(60), random.chance(30), random.chance(30))
    let isDecorated = random.chance(30)
    let tag: Injector.Tag = isNested ? "outer" : "inner"
    try injector.register(
      as: Product.self, tag: "inner",
      injectable: isGraph ? .graph { source.make(from: $0) } : .scoped { source.make(from: $0) })
    try injector.register(
      as: Product.self, tag: "outer",
      injectable: .factory { injector in
        let product = try injector.get(Product.self, tag: "inner")
        round.expect(try injector.get(Product.self, tag: "inner") === product, "one request got two of \(product)")
        return product
      })
    if isDecorated {
      try injector.decorate(Product.self, tag: "inner", id: "once") { inner, _ in Product(wrapping: inner, by: "once") }
    }
    round.note("\(users) users, \(isGraph ? "graph" : "scoped"), tag \(tag)\(keepsScopes ? ", scopes stay" : "")")
    let open: @Sendable (Injector) throws -> [Product] = { injector in
      var scopes: [Injector] = []
      var seen: [Product] = []
      for user in 0..<users {
        let scope = injector.makeScope("user \(user)")
        defer { scope.closeNow() }
        let product = try scope.get(Product.self, tag: tag)
        round.expect(product.maker == scope.description, "\(scope) got a product of \(product.maker)")
        round.expect(!seen.contains { $0 === product }, "\(scope) got \(product) of another scope")
        seen.append(product)
        if keepsScopes { scopes.append(scope) }
      }
      return seen
    }
    let lifetime = random.pick(Lifetime.factory, .lazySingleton, .graph)
    let injection: Injection<[Product]> =
      switch lifetime {
      case .factory: .factory(open)
      case .graph: .graph(open)
      default: .lazySingleton(open)
      }
    try injector.register(as: [Product].self, injectable: injection)
    round.expect(try injector.get([Product].self).count == users, "not all users were served")
    injector.closeNow()
  }
}
