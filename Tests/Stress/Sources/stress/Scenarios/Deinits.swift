import Plug
import PlugOperations
import TestSupport

extension Scenario {
  /// Instances that nothing keeps, and that get others when they end: after a request, after one that failed, or while
  /// they are closed.
  static let deinits = Scenario("deinits") { round, crew in
    var random = round.random
    let injector = Injector("deinits")
    let kept = Source("kept", in: injector, isConfigured: true, round)
    let getKept: @Sendable (String) -> Void = { place in
      switch injector.outcome("kept") {
      case .success(let product):
        let isFinished = product.unfinished == nil || Request.isUnderWay
        round.expect(isFinished, "\(place) gets the unconfigured \(product)")
      case .failure(let error): round.expect(error.isClosed, "\(place) gets an error: \(error)")
      }
    }
    let (delay, fails) = (random.delay(), random.chance(30))
    try injector.register(
      as: Product.self, tag: "kept",
      injectable: .lazySingleton { kept.make(from: $0) }.configure { product, _ in
        pause(delay)
        product.configure()
      })
    let brief = Source("brief", in: injector, round) { getKept("a deinit") }
    let needsKept = random.chance(20)
    let make: @Sendable (Injector) throws -> Product = { injector in
      let needs = needsKept ? [try injector.get(Product.self, tag: "kept")] : []
      return brief.make(from: injector, needs: needs)
    }
    let lifetime = random.pick(Lifetime.factory, .graph, .weakSingleton, .lazySingleton)
    var injection: Injection<Product> =
      switch lifetime {
      case .factory: .factory(make)
      case .graph: .graph(make)
      case .weakSingleton: .weakSingleton(make)
      default: .lazySingleton(make).onClose { _ in getKept("an onClose") }
      }
    if fails || random.chance(60) {
      injection = injection.configure { _, _ in
        if fails { throw Refused() }
      }
    }
    round.note("brief: \(lifetime)\(needsKept ? ", needs kept" : "")\(fails ? ", its configuration fails" : "")")
    try injector.register(as: Product.self, tag: "brief", injectable: injection)
    try injector.register(
      as: Product.self, tag: "outer",
      injectable: .factory { injector in
        try Request.$isUnderWay.withValue(true) { _ = try injector.get(Product.self, tag: "brief") }
        return brief.make(from: injector)
      })
    let threads = random.number(in: 1...4)
    crew.run(
      (0..<threads).map { thread in
        let (outermost, delay) = (random.pick("brief", "outer", "kept"), thread == 0 ? 0 : random.delay())
        round.note("thread \(thread) gets \(outermost)")
        return {
          pause(delay)
          if case .failure(let error) = injector.outcome(.init(rawValue: outermost)) {
            round.expect(fails && error.isRefused, "a get threw: \(error)")
          }
          getKept("a get after it")
        }
      })
    // Requests that finish together fail together.
    round.expect(fails || kept.made == 1, "kept was made \(kept.made) times")
    injector.closeNow()
  }
}

/// Whether the caller is the factory of another instance: then it may get an instance that is not configured yet.
private enum Request {
  @TaskLocal static var isUnderWay = false
}
