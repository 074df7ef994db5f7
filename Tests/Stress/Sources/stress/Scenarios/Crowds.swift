import Plug
import TestSupport

extension Scenario {
  /// A scope that keeps up to a hundred instances, and makes some of them again after a reset.
  static let crowds = Scenario("crowds") { round, crew in
    var random = round.random
    let injector = Injector("crowds")
    let scope = injector.makeScope("scope")
    let tags = (0..<random.number(in: 1...100)).map { Injector.Tag(rawValue: "service \($0)") }
    let sources = try tags.map { tag in
      let source = Source(tag.rawValue, in: injector, round)
      try injector.register(
        as: Product.self, tag: tag, injectable: .scoped { source.make(from: $0) }.onClose { $0.close() })
      return source
    }
    let threads = random.number(in: 1...3)
    let reset = tags.filter { _ in random.chance(20) }
    round.note("\(tags.count) services, \(threads) threads, reset: \(reset)")
    let seen = Locked<[Product]>([])
    for turn in 0...1 {
      crew.run(
        (0..<threads).map { _ in
          let order = tags.shuffled(using: &random)
          return {
            for tag in order {
              switch scope.outcome(tag) {
              case .success(let product): seen.withLock { $0.append(product) }
              case .failure(let error): round.expect(false, "a get threw: \(error)")
              }
            }
          }
        })
      if turn == 0 { for tag in reset { try scope.reset(Product.self, tag: tag) } }
    }
    scope.closeNow()
    for (tag, source) in zip(tags, sources) {
      let expected = reset.contains(tag) ? 2 : 1
      round.expect(source.made == expected, "\(tag) was made \(source.made) times, not \(expected) times")
    }
    round.expectClosedOnce(seen)
    injector.closeNow()
  }
}
