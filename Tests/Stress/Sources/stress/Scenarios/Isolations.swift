import Plug
import PlugTesting
import TestSupport

extension Scenario {
  /// Isolated copies that are made and released on several threads, while others use the originals.
  static let isolations = Scenario("isolations") { round, crew in
    var random = round.random
    let injector = Injector("isolations", allowRewrite: true)
    let scope = injector.makeScope("scope")
    let declared = Source("declared", in: injector, round)
    let made = Locked<[Product]>([])
    let delay = random.delay()
    let lifetime = random.pick(Lifetime.lazySingleton, .scoped)
    let note: @Sendable (Product) -> Product = { product in
      made.withLock { $0.append(product) }
      return product
    }
    let make: @Sendable (Injector) -> Product = { injector in
      pause(delay)
      return note(declared.make(from: injector))
    }
    let close: @Sendable (Product) -> Void = { $0.close() }
    try injector.register(
      as: Product.self, tag: "service",
      injectable: lifetime == .scoped ? .scoped(make).onClose(close) : .lazySingleton(make).onClose(close))
    if random.chance(30) { try injector.seal() }
    let threads = random.number(in: 2...6)
    let outside = Locked<Set<Int>>([])
    round.note("\(lifetime), \(threads) threads\(injector.isSealed ? ", sealed" : "")")
    crew.run(
      (0..<threads).map { thread in
        let turns = (0..<random.number(in: 1...5)).map { _ in
          (
            isIsolated: random.chance(60), overrides: random.chance(60),
            decorates: random.chance(30) && !injector.isSealed, random.delay()
          )
        }
        return {
          for turn in turns {
            pause(turn.3)
            if !turn.isIsolated {
              guard let product = try? scope.get(Product.self, tag: "service") else { continue }
              round.expect(product.source === declared && product.decorators.isEmpty, "\(product) was got outside")
              round.expect(product.timesClosed == 0, "\(product) has been closed")
              outside.withLock { _ = $0.insert(product.number) }
              continue
            }
            withIsolatedInjectors {
              let own = Source("own of \(thread)", in: injector, round)
              do {
                if turn.overrides {
                  try injector.override(
                    as: Product.self, tag: "service",
                    injectable: .lazySingleton { note(own.make(from: $0)) }.onClose { $0.close() })
                } else if turn.decorates {
                  try injector.decorate(Product.self, tag: "service", id: "mine") {
                    Product(wrapping: $0, by: "mine of \($1.description)")
                  }
                }
                let first = try scope.get(Product.self, tag: "service")
                let second = try scope.get(Product.self, tag: "service")
                round.expect(first === second, "\(first) and \(second) in one copy")
                round.expect(
                  first.source === (turn.overrides ? own : declared), "\(first) in the copy of thread \(thread)")
                round.expect(first.timesClosed == 0, "\(first) has been closed in its copy")
                let isOutside = outside.withLock { $0.contains(first.core.number) }
                round.expect(!isOutside, "\(first) is shared with the outside")
                round.expect(
                  first.decorators.count == (turn.decorates && !turn.overrides ? 1 : 0), "\(first.decorators)")
              } catch {
                round.expect(false, "an isolated thread threw: \(error)")
              }
            }
          }
        }
      })
    round.expect(outside.withLock { $0.count } <= 1, "outside there was more than one")
    scope.closeNow()
    injector.closeNow()
    round.expectClosedOnce(made)
  }
}
