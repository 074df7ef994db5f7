import Plug
import TestSupport

extension Scenario {
  /// Resets while other threads get: no instance stays open, and none that is closed can be got afterwards.
  static let resets = Scenario("resets") { round, crew in
    var random = round.random
    let injector = Injector("resets")
    let tags = [nil] + (1...random.number(in: 1...40)).map { Injector.Tag(rawValue: "service \($0)") }
    let made = Locked<[Product]>([])
    for tag in tags {
      let source = Source(tag?.rawValue ?? "untagged", in: injector, round)
      try injector.register(
        as: Product.self, tag: tag,
        injectable: .lazySingleton { injector in
          let product = source.make(from: injector)
          made.withLock { $0.append(product) }
          return product
        }.onClose { $0.close() })
    }
    if random.chance(70) { try injector.seal() }
    let threads = random.number(in: 2...4)
    round.note("\(tags.count) services, \(threads) threads\(injector.isSealed ? ", sealed" : "")")
    crew.run(
      (0..<threads).map { thread in
        let turns = thread == 0 ? 100 : random.number(in: 1...20)
        let wanted = thread == 0 ? [] : tags.prefix(random.pick(1, 2, tags.count))
        return {
          for _ in 0..<turns {
            if thread == 0 { injector.reset() }
            for tag in wanted { _ = try? injector.get(Product.self, tag: tag) }
          }
        }
      })
    for tag in tags {
      let product = try injector.get(Product.self, tag: tag)
      round.expect(product.timesClosed == 0, "a get gave \(product), which had been closed")
    }
    injector.closeNow()
    round.expectClosedOnce(made)
  }
}
