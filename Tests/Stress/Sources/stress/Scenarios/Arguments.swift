import Plug
import TestSupport

extension Scenario {
  /// Instances made from arguments, while their registration is removed, restored, decorated or reset.
  static let arguments = Scenario("arguments") { round, crew in
    var random = round.random
    let injector = Injector("arguments", allowRewrite: true)
    let scope = injector.makeScope("scope")
    let history = ArgumentsHistory(round)
    let delay = random.delay()
    let first = random.pick(Lifetime.lazySingleton, .scoped, .factory)
    try history.register(first, in: injector, delay)
    let threads = random.number(in: 2...5)
    let closes = random.chance(30)
    round.note("\(first), \(threads) threads")
    crew.run(
      (0..<threads).map { thread in
        let plan = (0..<random.number(in: 2...8)).map { _ in Step(&random, isChanging: thread == 0) }
        round.note("thread \(thread): \(plan.map(\.text).joined(separator: ", "))")
        return {
          for (turn, step) in plan.enumerated() {
            pause(step.delay)
            let target = step.isScope ? scope : injector
            switch step.kind {
            case .get: history.get(step.argument, from: target, mayBeClosed: closes && step.isScope)
            case .unregister: history.unregister(from: injector)
            case .register: try? history.register(step.lifetime, in: injector, delay)
            case .decorate: history.decorate(with: "decorator \(turn)", in: injector)
            case .reset: history.reset(target)
            }
          }
          if closes, thread == threads - 1 { scope.closeNow() }
        }
      })
    history.expectOneEach()
    scope.closeNow()
    injector.closeNow()
    history.forget()
  }
}

/// One step of a thread.
private struct Step {
  enum Kind { case get, register, unregister, decorate, reset }

  let kind: Kind
  let argument: Int
  let isScope: Bool
  let lifetime: Lifetime
  let delay: Int

  init(_ random: inout SplitMix64, isChanging: Bool) {
    let change = isChanging ? random.pick(Kind.register, .unregister, .decorate, .reset, .get) : .get
    kind = random.chance(70) ? change : .get
    argument = random.number(in: 0...2)
    isScope = random.chance(60)
    lifetime = random.pick(.lazySingleton, .scoped, .factory)
    delay = random.delay()
  }

  var text: String { kind == .get ? "get \(argument)\(isScope ? " in the scope" : "")" : "\(kind)" }
}

/// The registrations and decorators of one thread, with their times, and the instances got since.
private final class ArgumentsHistory: Sendable {
  private struct Generation {
    let source: Source
    let lifetime: Lifetime
    var to = Int.max
  }

  private struct State {
    var generations: [Generation] = []
    /// Whether a registration is certain to exist, and since when.
    var presence: (isCertain: Bool, since: Int) = (false, 0)
    var decorators: [(name: String, at: Int)] = []
    var identities: [String: Set<Int>] = [:]
    var seen: [Product] = []
    var hasReset = false
  }

  private let round: Round
  private let state = Locked(State())

  init(_ round: Round) {
    self.round = round
  }

  func register(_ lifetime: Lifetime, in injector: Injector, _ delay: Int) throws {
    let source = Source("service since \(round.tick())", in: injector, round)
    state.withLock { $0.generations.append(Generation(source: source, lifetime: lifetime)) }
    let keeping: ArgumentsLifetime<Int> =
      switch lifetime {
      case .lazySingleton: .lazySingleton
      case .scoped: .scoped
      default: .factory
      }
    try injector.register(Product.self, taking: Int.self, lifetime: keeping) { _, injector in
      pause(delay)
      return source.make(from: injector)
    }
    let now = round.tick()
    state.withLock { state in
      for index in state.generations.indices.dropLast() where state.generations[index].to == .max {
        state.generations[index].to = now
      }
      if !state.presence.isCertain { state.presence = (true, now) }
    }
  }

  func unregister(from injector: Injector) {
    let wasCertain = state.withLock { state in
      defer { state.presence = (false, round.tick()) }
      return state.presence.isCertain
    }
    do throws(InjectorError) {
      try injector.unregister(Product.self, taking: Int.self)
      round.expect(wasCertain, "a service that was not registered has been unregistered")
    } catch {
      round.expect(!wasCertain && error.isMissing, "unregister threw: \(error)")
    }
    let now = round.tick()
    state.withLock { state in
      if let last = state.generations.indices.last, state.generations[last].to == .max {
        state.generations[last].to = now
      }
    }
  }

  func decorate(with decorator: String, in injector: Injector) {
    do throws(InjectorError) {
      try injector.decorate(Product.self, id: decorator) { inner, _ in Product(wrapping: inner, by: decorator) }
      state.withLock { $0.decorators.append((decorator, round.tick())) }
    } catch {
      round.expect(error.isMade, "decorate threw: \(error)")
    }
  }

  func reset(_ injector: Injector) {
    state.withLock { $0.hasReset = true }
    injector.reset()
  }

  func get(_ argument: Int, from injector: Injector, mayBeClosed: Bool) {
    let begin = round.tick()
    let (presence, decorators) = state.withLock { state in
      (state.presence, state.decorators.map(\.name))
    }
    do throws(InjectorError) {
      let product = try injector.get(Product.self, with: argument)
      check(product, of: argument, from: injector, since: begin, decorators)
    } catch .closed {
      round.expect(mayBeClosed, "a get from \(injector) was refused because it is closed")
    } catch .scopeRequired {
      round.expect(injector.description == "Injector(\"arguments\")", "\(injector) is no scope")
    } catch {
      let now = state.withLock { $0.presence }
      let wasThere = presence.isCertain && now.isCertain && presence.since == now.since
      round.expect(error.isMissing && !wasThere, "a get threw: \(error)")
    }
  }

  private func check(
    _ product: Product, of argument: Int, from injector: Injector, since begin: Int, _ decorators: [String]
  ) {
    let generation = state.withLock { state in state.generations.first { $0.source === product.source } }
    guard let generation else { return round.expect(false, "\(product) comes from nowhere") }
    round.expect(generation.to > begin, "\(product) had been unregistered at \(generation.to), before \(begin)")
    round.expect(
      product.decorators.starts(with: decorators), "\(product) has \(product.decorators), not \(decorators)")
    let keeper = generation.lifetime == .lazySingleton ? product.source.level : injector.description
    round.expect(product.maker == keeper, "\(product), got from \(injector), was made from \(product.maker)")
    state.withLock { state in
      state.seen.append(product)
      if generation.lifetime == .factory { return }
      _ = state.identities["\(product.source.name)(\(argument)) in \(keeper)", default: []].insert(product.number)
    }
  }

  /// For equal arguments there is one instance.
  func expectOneEach() {
    let (identities, hasReset) = state.withLock { ($0.identities, $0.hasReset) }
    for (name, numbers) in identities where !hasReset {
      round.expect(numbers.count == 1, "\(name) has been given as \(numbers.sorted())")
    }
  }

  func forget() {
    let forgotten = state.withLock { state in
      defer { state = State() }
      return state
    }
    withExtendedLifetime(forgotten) {}
  }
}
