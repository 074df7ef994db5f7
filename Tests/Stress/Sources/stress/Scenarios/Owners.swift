import Plug
import TestSupport

extension Scenario {
  /// A service that is got from a scope while the scope registers its own.
  static let owners = Scenario("owners") { round, crew in
    var random = round.random
    let injector = Injector("owners")
    let scope = injector.makeScope("scope")
    let (outer, inner) = (Source("outer", in: injector, round), Source("inner", in: scope, round))
    let isDecorated = random.chance(30)
    let ruled = random.chance(30)
    let lifetime = random.pick(Lifetime.lazySingleton, .lazySingleton, .weakSingleton)
    let register: @Sendable (Injector, Source) throws -> Void = { injector, source in
      let make: @Sendable (Injector) -> Product = { source.make(from: $0) }
      try injector.register(
        as: Product.self, tag: "log",
        injectable: lifetime == .weakSingleton ? .weakSingleton(make) : .lazySingleton(make).onClose { $0.close() })
    }
    if ruled {
      let rule = Rule<Int>("registers in the scope") { _ in
        try? register(scope, inner)
        return true
      }
      try injector.contribute(
        Product.self, tag: "log",
        .lazySingleton { outer.make(from: $0) }.onClose { $0.close() }, when: rule)
    } else {
      try register(injector, outer)
    }
    if isDecorated {
      try injector.decorate(Product.self, tag: "log", id: "once") { inner, _ in Product(wrapping: inner, by: "once") }
    }
    let threads = random.number(in: 2...4)
    round.note("\(lifetime)\(ruled ? ", by a rule" : "")\(isDecorated ? ", decorated" : ""), \(threads) threads")
    let seen = Locked<[Product]>([])
    crew.run(
      (0..<threads).map { thread in
        let delay = random.delay()
        return {
          pause(delay)
          if thread == 0 && !ruled {
            do { try register(scope, inner) } catch { round.expect(false, "register threw: \(error)") }
            return
          }
          let outcome = Result { () throws(InjectorError) in
            ruled ? try scope.get(Product.self, tag: "log", in: 1) : try scope.get(Product.self, tag: "log")
          }
          switch outcome {
          case .success(let product): seen.withLock { $0.append(product) }
          // The plain registration of the scope has replaced the candidates.
          case .failure(let error): round.expect(false, "a get threw: \(error)")
          }
        }
      })
    scope.closeNow()
    for product in seen.withLock({ $0 }) {
      let isInner = product.source === inner
      round.expect(product.maker == product.source.level, "\(product) was made from \(product.maker)")
      let expected = isInner && lifetime != .weakSingleton ? 1 : 0
      round.expect(product.timesClosed == expected, "closing the scope closed \(product) \(product.timesClosed) times")
    }
    injector.closeNow()
    for product in seen.withLock({ $0 }) where lifetime != .weakSingleton {
      round.expect(product.timesClosed == 1, "\(product) was closed \(product.timesClosed) times")
    }
    seen.withLock { $0 = [] }
  }
}
