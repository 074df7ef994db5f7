import Plug
import PlugKeys
import PlugOperations
import TestSupport

/// The lifetime and the attributes of a service, and the actions of its factory, configuration and closing.
struct Recipe: Sendable {
  enum Act: String { case nothing, scope, set, register, validate, get }

  let lifetime: Lifetime
  let isConfigured: Bool
  let isClosed: Bool
  let isEager: Bool
  let isAsynchronous: Bool
  let getsAtEnd: Bool

  /// The services that the factory, the configuration and the closing get: later ones, so that there is no cycle.
  let needs: [Int]
  let configurationNeeds: [Int]
  let act: Act

  /// The number of attempts that fail at first, and the duration of each.
  let failures: Int
  let delay: Int

  init(of service: Int, _ round: Round, _ random: inout SplitMix64) {
    let isLast = service == Shop.services - 1
    let later = isLast ? [] : Array(service + 1..<Shop.services)
    let lifetime = random.pick(
      Lifetime.lazySingleton, .lazySingleton, .scoped, .graph, .factory, .weakSingleton, .singleton)
    let isKept = lifetime == .lazySingleton || lifetime == .scoped
    self.lifetime = lifetime
    isConfigured = lifetime != .singleton && random.chance(40) && !round.leavesOut("configure")
    isClosed = (isKept || lifetime == .singleton) && random.chance(50) && !round.leavesOut("onClose")
    isEager = isKept && random.chance(20)
    isAsynchronous = isKept && !isLast && random.chance(15) && !round.leavesOut("load")
    getsAtEnd = !isLast && random.chance(20) && !round.leavesOut("deinit")
    needs = later.filter { _ in random.chance(25) }
    configurationNeeds = later.filter { _ in random.chance(25) }
    let drawn = random.pick(Act.nothing, .nothing, .nothing, .scope, .set, .register, .validate, .get)
    act = isLast || round.leavesOut(drawn.rawValue) ? .nothing : drawn
    failures = random.chance(15) && !round.leavesOut("failure") ? 1 : 0
    delay = random.delay()
  }

  var text: String {
    let marks = [
      isConfigured ? "configured" : nil, isClosed ? "closed" : nil, isEager ? "eager" : nil,
      isAsynchronous ? "asynchronous" : nil, getsAtEnd ? "gets at its end" : nil, failures > 0 ? "fails" : nil,
      act == .nothing ? nil : act.rawValue,
    ].compactMap(\.self)
    return "\(lifetime) \(([""] + marks).joined(separator: " ")), needs \(needs) \(configurationNeeds)"
  }
}

extension Recipe {
  /// - Parameter source: The registration. It records the instances that have to be closed, except handed-in ones.
  func injection(_ source: Source, in shop: Shop) -> Injection<Product> {
    let make: @Sendable (Injector) throws -> Product = { [unowned shop] injector in
      if source.attempt() <= failures { throw Refused() }
      let needs = try get(needs, from: injector, in: shop)
      try perform(on: injector, in: shop)
      pause(delay)
      let product = source.make(from: injector, needs: needs)
      if isClosed { shop.note(product) }
      return product
    }
    var injection: Injection<Product>
    switch lifetime {
    case .lazySingleton where isAsynchronous:
      injection = .lazySingleton { injector async throws in try make(injector) }
    case .scoped where isAsynchronous: injection = .scoped { injector async throws in try make(injector) }
    case .lazySingleton: injection = .lazySingleton(make)
    case .scoped: injection = .scoped(make)
    case .graph: injection = .graph(make)
    case .factory: injection = .factory(make)
    case .weakSingleton: injection = .weakSingleton(make)
    case .singleton:
      injection = .singleton(source.make(from: source.level))
    }
    if isConfigured {
      injection = injection.configure { [unowned shop] product, injector in
        _ = try get(configurationNeeds, from: injector, in: shop)
        product.configure()
      }
    }
    if isClosed {
      injection = injection.onClose { [unowned shop] product in
        product.close()
        if let later = needs.first { _ = try? shop.places[0].get(Product.self, tag: shop.tag(later)) }
      }
    }
    return isEager ? injection.eager() : injection
  }

  private func get(_ services: [Int], from injector: Injector, in shop: Shop) throws -> [Product] {
    try services.map { try injector.get(Product.self, tag: shop.tag($0)) }
  }

  private func perform(on injector: Injector, in shop: Shop) throws {
    let last = shop.tag(Shop.services - 1)
    switch act {
    case .nothing: return
    case .scope:
      let scope = injector.makeScope("own")
      defer { scope.closeNow() }
      let product = try scope.get(Product.self, tag: last)
      let isOwn = product.maker == scope.description || product.maker == product.source.level
      shop.round.expect(isOwn, "\(scope) got \(product), made from \(product.maker)")
    case .set: if !injector.isClosed { shop.places[0][Mood.self] += 1 }
    case .register: _ = try? injector.register(as: Int.self, injectable: .singleton(1))
    case .validate: _ = try? injector.validate()
    case .get: _ = try? shop.places[0].get(Product.self, tag: last)
    }
  }
}

/// A property that all factories may set.
enum Mood: Property { static var defaultValue: Int { 0 } }
