import Plug
import PlugKeys
import TestSupport

extension Scenario {
  /// Lazy singletons that need each other, some of which fail at first, got by several threads at once.
  static let once = Scenario("once") { round, crew in
    var random = round.random
    let injector = Injector("once")
    let sources = try Constellation(in: injector, round, &random)
    let threads = random.number(in: 1...8)
    let seen = Locked<[Int: Set<Int>]>([:])
    crew.run(
      (0..<threads).map { thread in
        let wanted = (0...random.number(in: 0...2)).map { _ in random.number(in: 0...sources.count - 1) }
        let delay = random.delay()
        round.note("thread \(thread) gets \(wanted)")
        return {
          pause(delay)
          for index in wanted {
            switch injector.outcome(sources.tag(index)) {
            case .success(let product):
              round.expect(product.unfinished == nil, "\(product) is seen unfinished")
              seen.withLock { _ = $0[index, default: []].insert(product.number) }
            case .failure(let error):
              round.expect(sources.mayFail && (error.isRefused || error.isGivenUp), "a get threw: \(error)")
            }
          }
        }
      })
    for (index, numbers) in seen.current {
      round.expect(numbers.count == 1, "service \(index) has been given as \(numbers.sorted())")
      let made = sources[index].made
      round.expect(sources.mayFail || made == 1, "service \(index) was made \(made) times")
    }
    injector.closeNow()
  }
}

/// Lazy singletons that need those after them, and whose configurations may need those before them.
private struct Constellation: Sendable {
  private var sources: [Source] = []

  /// Whether some fail at first.
  private(set) var mayFail = false

  var count: Int { sources.count }

  subscript(index: Int) -> Source { sources[index] }

  func tag(_ index: Int) -> Injector.Tag { .init(rawValue: "service \(index)") }

  init(in injector: Injector, _ round: Round, _ random: inout SplitMix64) throws {
    let count = random.number(in: 1...4)
    let fails = random.chance(30)
    for index in 0..<count {
      let source = Source("service \(index)", in: injector, isConfigured: random.chance(60), round)
      let needs = (index + 1..<count).filter { _ in random.chance(50) }
      let failures = fails && random.chance(50) ? 1 : 0
      let refusals = fails && random.chance(30) ? 1 : 0
      let earlier = index > 0 && random.chance(40) ? random.number(in: 0...index - 1) : nil
      let delay = random.delay()
      if failures + refusals > 0 { mayFail = true }
      round.note(
        "\(source.name) needs \(needs)" + (failures > 0 ? ", fails at first" : "")
          + (source.isConfigured ? ", is configured\(earlier.map { " with \($0)" } ?? "")" : ""))
      let (tags, earlierTag) = (needs.map(tag), earlier.map(tag))
      var injection = Injection<Product>.lazySingleton { injector in
        if source.attempt() <= failures { throw Refused() }
        let needed = try tags.map { try injector.get(Product.self, tag: $0) }
        pause(delay)
        return source.make(from: injector, needs: needed)
      }
      if source.isConfigured {
        let configurations = Source("configurations", in: injector, round)
        injection = injection.configure { product, injector in
          if configurations.attempt() <= refusals { throw Refused() }
          if let earlierTag { _ = try injector.get(Product.self, tag: earlierTag) }
          pause(delay)
          product.configure()
        }
      }
      try injector.register(as: Product.self, tag: tag(index), injectable: injection)
      sources.append(source)
    }
  }
}
