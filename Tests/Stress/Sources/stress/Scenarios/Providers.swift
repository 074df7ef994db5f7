import Plug
import TestSupport

extension Scenario {
  /// Providers that are got while they are overridden, reset and decorated, in an injector and in a scope of it.
  static let providers = Scenario("providers") { round, crew in
    var random = round.random
    let injector = Injector("providers")
    let scope = injector.makeScope("scope")
    let history = ProviderHistory(round)
    try injector.register(injectable: .singleton(Maker(source: history.declare(in: injector))))
    let threads = random.number(in: 2...5)
    let closes = random.chance(30)
    crew.run(
      (0..<threads).map { thread in
        let plan = (0..<random.number(in: 2...8)).map { _ in Step(&random, isChanging: thread == 0) }
        round.note("thread \(thread): \(plan.map(\.text).joined(separator: ", "))")
        return {
          for (turn, step) in plan.enumerated() {
            pause(step.delay)
            let target = step.isScope ? scope : injector
            switch step.kind {
            case .get: history.get(target, step.isOwn, mayBeClosed: closes && step.isScope)
            case .override: history.override(target, step.isOwn, step.lifetime, mayBeClosed: closes && step.isScope)
            case .reset: history.reset(target, step.isOwn, mayBeClosed: closes && step.isScope)
            case .decorate: history.decorate(injector, step.isOwn, "decorator \(turn)")
            }
          }
          if closes, thread == threads - 1 { scope.closeNow() }
        }
      })
    history.expectOneEach()
    scope.closeNow()
    injector.closeNow()
    history.expectClosed()
  }
}

private struct Step {
  enum Kind { case get, override, reset, decorate }

  let kind: Kind
  let isScope: Bool
  /// Whether the step concerns the provider with scoped instances.
  let isOwn: Bool
  let lifetime: Lifetime
  let delay: Int

  init(_ random: inout SplitMix64, isChanging: Bool) {
    let change = isChanging ? random.pick(Kind.override, .reset, .decorate, .get) : .get
    kind = random.chance(70) ? change : .get
    isScope = random.chance(60)
    isOwn = random.chance(40)
    lifetime = random.pick(.lazySingleton, .scoped, .factory, .singleton)
    delay = random.delay()
  }

  var text: String {
    "\(kind)\(isOwn ? " own" : "")\(isScope ? " in the scope" : "")\(kind == .override ? " \(lifetime)" : "")"
  }
}

/// Makes the injection of a provider.
private struct Maker: Sendable {
  let source: Source
}

extension Injector {
  fileprivate var shared: Provider<Product> {
    provide(.lazySingleton { try $0.get(Maker.self).source.make(from: $0) }.onClose { $0.close() })
  }

  fileprivate var own: Provider<Product> {
    provide(.scoped { try $0.get(Maker.self).source.make(from: $0) }.onClose { $0.close() })
  }

  fileprivate func provider(_ isOwn: Bool) -> Provider<Product> { isOwn ? own : shared }
}

private final class ProviderHistory: Sendable {
  private struct Generation {
    let source: Source
    let level: String
    let isOwn: Bool
    let lifetime: Lifetime?
    var to = Int.max
  }

  private struct State {
    var generations: [Generation] = []
    var decorators: [(name: String, isOwn: Bool, at: Int)] = []
    var identities: [String: Set<Int>] = [:]
    var made: [Product] = []
    var hasReset = false
  }

  private let round: Round
  private let state = Locked(State())

  init(_ round: Round) {
    self.round = round
  }

  func declare(in injector: Injector) -> Source {
    Source("declared", in: injector, round)
  }

  private func end(_ injector: Injector, _ isOwn: Bool) {
    let now = round.tick()
    state.withLock { state in
      for index in state.generations.indices.dropLast()
      where state.generations[index].isOwn == isOwn && state.generations[index].level == injector.description {
        state.generations[index].to = min(state.generations[index].to, now)
      }
    }
  }

  func override(_ injector: Injector, _ isOwn: Bool, _ lifetime: Lifetime, mayBeClosed: Bool) {
    let source = Source("override since \(round.tick())", in: injector, round)
    state.withLock {
      $0.generations.append(
        Generation(source: source, level: injector.description, isOwn: isOwn, lifetime: lifetime))
    }
    let make: @Sendable (Injector) -> Product = { source.make(from: $0) }
    var given: Product?
    let injection: Injection<Product>
    switch lifetime {
    case .singleton:
      let product = source.make(from: injector)
      given = product
      injection = .singleton(product).onClose { $0.close() }
    case .scoped: injection = .scoped(make).onClose { $0.close() }
    case .factory: injection = .factory(make)
    default: injection = .lazySingleton(make).onClose { $0.close() }
    }
    do throws(InjectorError) {
      try injector.provider(isOwn).override(injection)
      if let given { state.withLock { $0.made.append(given) } }
    } catch {
      round.expect(error.isClosed && mayBeClosed, "override threw: \(error)")
    }
    end(injector, isOwn)
  }

  func reset(_ injector: Injector, _ isOwn: Bool, mayBeClosed: Bool) {
    state.withLock { state in
      state.hasReset = true
      state.generations.append(
        Generation(
          source: Source("none", in: injector, round), level: injector.description, isOwn: isOwn, lifetime: nil))
    }
    do throws(InjectorError) {
      try injector.provider(isOwn).reset()
    } catch {
      round.expect(error.isClosed && mayBeClosed, "reset threw: \(error)")
    }
    end(injector, isOwn)
  }

  func decorate(_ injector: Injector, _ isOwn: Bool, _ decorator: String) {
    do throws(InjectorError) {
      try injector.provider(isOwn).decorate(id: decorator) { inner, _ in Product(wrapping: inner, by: decorator) }
      state.withLock { $0.decorators.append((decorator, isOwn, round.tick())) }
    } catch {
      round.expect(error.isMade, "decorate threw: \(error)")
    }
  }

  func get(_ injector: Injector, _ isOwn: Bool, mayBeClosed: Bool) {
    let begin = round.tick()
    let decorators = state.withLock { state in state.decorators.filter { $0.isOwn == isOwn }.map(\.name) }
    do throws(InjectorError) {
      let product = try injector.provider(isOwn).get()
      check(product, injector, isOwn, since: begin, decorators)
    } catch .closed {
      round.expect(mayBeClosed, "a get from \(injector) was refused because it is closed")
    } catch .scopeRequired {
      round.expect(injector.description == "Injector(\"providers\")", "\(injector) is no scope")
    } catch {
      round.expect(false, "a get threw: \(error)")
    }
  }

  private func check(
    _ product: Product, _ injector: Injector, _ isOwn: Bool, since begin: Int, _ decorators: [String]
  ) {
    let generation = state.withLock { state in state.generations.first { $0.source === product.source } }
    if let generation {
      round.expect(generation.to > begin, "\(product) had been replaced at \(generation.to), before \(begin)")
    }
    // A scope keeps its own override.
    let isInherited = product.source.level == "Injector(\"providers\")"
    round.expect(
      !isInherited || product.decorators.starts(with: decorators),
      "\(product) has \(product.decorators), not \(decorators)")
    round.expect(
      Set(product.decorators).count == product.decorators.count, "\(product) is wrapped twice: \(product.decorators)")
    round.expect(product.closedAt > begin, "\(product), got since \(begin), had been closed at \(product.closedAt)")
    let lifetime = generation?.lifetime ?? (isOwn ? .scoped : .lazySingleton)
    let keeper =
      lifetime == .lazySingleton || lifetime == .singleton ? product.source.level : injector.description
    round.expect(product.maker == keeper, "\(product), got from \(injector), was made from \(product.maker)")
    state.withLock { state in
      if lifetime == .factory { return }
      state.made.append(product)
      let kind = "\(product.source.name) \(isOwn) in \(keeper)"
      _ = state.identities[kind, default: []].insert(product.core.number)
    }
  }

  func expectOneEach() {
    let (identities, hasReset) = state.withLock { ($0.identities, $0.hasReset) }
    for (name, numbers) in identities where !hasReset {
      round.expect(numbers.count == 1, "\(name) has been given as \(numbers.sorted())")
    }
  }

  func expectClosed() {
    let made = state.withLock { state in
      defer { state = State() }
      return state.made
    }
    for product in made {
      round.expect(product.timesClosed == 1, "\(product) was closed \(product.timesClosed) times")
    }
  }
}
