import Plug
import TestSupport

extension Scenario {
  /// Decorators that are declared while other threads get the service, or have got it.
  static let decorations = Scenario("decorations") { round, crew in
    var random = round.random
    let injector = Injector("decorations")
    let scope = injector.makeScope("scope")
    let source = Source("service", in: injector, round)
    let delay = random.delay()
    let make: @Sendable (Injector) -> Product = { injector in
      pause(delay)
      return source.make(from: injector)
    }
    let lifetime = random.pick(Lifetime.lazySingleton, .lazySingleton, .scoped, .factory)
    let isClosed = lifetime != .factory && random.chance(40)
    var injection: Injection<Product> =
      switch lifetime {
      case .lazySingleton: .lazySingleton(make)
      case .scoped: .scoped(make)
      default: .factory(make)
      }
    if isClosed { injection = injection.onClose { $0.close() } }
    try injector.register(as: Product.self, tag: "service", injectable: injection)
    let decorates = random.chance(80) || lifetime == .scoped ? injector : scope
    let threads = random.number(in: 2...4)
    round.note("\(lifetime), \(threads) threads, decorated in \(decorates)")
    let history = DecoratorHistory(round)
    crew.run(
      (0..<threads).map { thread in
        let (delay, count) = (random.delay(), random.number(in: 1...3))
        return {
          pause(delay)
          for turn in 0..<count {
            if thread == 0 {
              history.decorate(with: "decorator \(turn)", in: decorates)
            } else {
              history.get(from: scope)
            }
          }
        }
      })
    history.get(from: scope)
    history.expectOrder()
    if lifetime != .factory {
      round.expect(source.made == 1, "the service was made \(source.made) times")
      // The instance of the outer injector may be in use before the scope wraps it.
      round.expect(
        history.identities.count == 1 || decorates === scope, "the service was given as \(history.identities.sorted())")
    }
    scope.closeNow()
    injector.closeNow()
    history.expectClosed(isClosed ? 1 : 0)
  }

  /// A weak singleton that is made and released, and registers during its release, while other threads decorate it.
  static let weaks = Scenario("weaks") { round, crew in
    var random = round.random
    let injector = Injector("weaks", allowRewrite: true)
    let isEager = random.chance(50)
    let ends = Source("ends", in: injector, round)
    let source = Source("weak", in: injector, round) {
      if isEager { _ = try? injector.register(as: Int.self, injectable: .singleton(ends.attempt())) }
      _ = try? injector.get(Int.self)
    }
    try injector.register(as: Product.self, tag: "service", injectable: .weakSingleton { source.make(from: $0) })
    try injector.register(as: Int.self, injectable: .singleton(0))
    let (threads, turns) = (random.number(in: 2...4), random.number(in: 5...40))
    round.note("\(threads) threads, \(turns) turns\(isEager ? ", a deinit registers" : "")")
    let history = DecoratorHistory(round)
    crew.run(
      (0..<threads).map { thread in
        {
          for turn in 0..<turns {
            if thread == 0 {
              history.decorate(with: "decorator \(turn)", in: injector)
            } else {
              history.get(from: injector)
            }
          }
        }
      })
    history.get(from: injector)
    history.expectOrder()
    history.forget()
    injector.closeNow()
  }
}

/// The declared decorators, and the ones that wrap the instances that threads have got.
private final class DecoratorHistory: Sendable {
  private struct State {
    /// The moment from which each decorator was certain to wrap every instance.
    var declared: [(decorator: String, at: Int)] = []
    var seen: [Product] = []
    var identities: Set<Int> = []
    var decorators: [[String]] = []
  }

  private let round: Round
  private let state = Locked(State())

  init(_ round: Round) {
    self.round = round
  }

  var identities: Set<Int> { state.withLock { $0.identities } }

  func decorate(with decorator: String, in injector: Injector) {
    do throws(InjectorError) {
      try injector.decorate(Product.self, tag: "service", id: decorator) { inner, _ in
        Product(wrapping: inner, by: decorator)
      }
      state.withLock { $0.declared.append((decorator, round.tick())) }
    } catch {
      round.expect(error.isMade, "decorate threw: \(error)")
    }
  }

  func get(from injector: Injector) {
    let begin = round.tick()
    switch injector.outcome("service") {
    case .failure(let error): round.expect(false, "a get threw: \(error)")
    case .success(let product):
      let expected = state.withLock { state in
        state.identities.insert(product.number)
        state.decorators.append(product.decorators)
        // Nothing else keeps a weak singleton.
        if !(product.core.source.name == "weak") { state.seen.append(product) }
        return state.declared.filter { $0.at < begin }.map(\.decorator)
      }
      round.expect(
        product.decorators.starts(with: expected), "\(product) has \(product.decorators) after \(expected)")
    }
  }

  /// Each decorator wraps an instance at most once, in the order of declaration. A refused one wraps none.
  func expectOrder() {
    let (declared, decorators) = state.withLock { ($0.declared.map(\.decorator), $0.decorators) }
    for found in decorators where !declared.starts(with: found) {
      round.expect(false, "\(found) is not the beginning of \(declared)")
    }
  }

  func expectClosed(_ times: Int) {
    let closed = state.withLock { state in
      defer { state.seen = [] }
      return Set(state.seen.map(\.timesClosed))
    }
    round.expect(closed.allSatisfy { $0 == times }, "an instance was closed \(closed.sorted()) times, not \(times)")
  }

  func forget() {
    let forgotten = state.withLock { state in
      defer { state.seen = [] }
      return state.seen
    }
    withExtendedLifetime(forgotten) {}
  }
}
