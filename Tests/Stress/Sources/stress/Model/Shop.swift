import Plug
import TestSupport

/// An injector and its scopes, with a record of where and when services were registered.
///
/// Only one thread changes a slot, which is a service in an injector. So its registration is known although all threads
/// read it in an unknown order.
final class Shop: Sendable {
  /// The registration of a slot during a period.
  struct Generation: Sendable {
    let source: Source
    let recipe: Recipe
    let from: Int
    /// The moment from which the registration was certain to exist, and the moment when the next change began.
    let certainFrom: Int
    var certainTo = Int.max
    var to = Int.max
  }

  struct Slot: Hashable, Sendable {
    let place: Int
    let service: Int
  }

  /// An instance that is made once for a registration in an injector.
  private struct Kept: Hashable {
    let name: String
    /// A registration in one of these slots retires the instance. If it is unregistered, the instance is made again.
    let nearer: [Slot]
  }

  private struct State {
    var generations: [Slot: [Generation]] = [:]
    var decorators: [Int: [(name: String, at: Int)]] = [:]
    var closings: [Int: (began: Int, ended: Int)] = [:]
    var made: [Product] = []
    var identities: [Kept: Set<Int>] = [:]
    var hasFailedStart = false
  }

  static let services = 6

  let round: Round

  /// The injector, and its scopes. The parent of each is the one with the index in `parents`.
  let places: [Injector]
  let parents: [Int?]
  private let state = Locked(State())

  init(_ round: Round, _ random: inout SplitMix64) {
    self.round = round
    var places = [Injector("shop", allowRewrite: true)]
    var parents: [Int?] = [nil]
    for index in 0..<random.number(in: 0...3) {
      let parent = random.number(in: 0...places.count - 1)
      places.append(places[parent].makeScope("scope \(index)"))
      parents.append(parent)
    }
    (self.places, self.parents) = (places, parents)
  }

  func tag(_ service: Int) -> Injector.Tag { .init(rawValue: "service \(service)") }

  /// A place and its ancestors, the innermost first.
  func levels(of place: Int) -> [Int] { Array(sequence(first: place) { self.parents[$0] }) }
}

// MARK: - Changes

extension Shop {
  func register(_ recipe: Recipe, in slot: Slot) {
    let injector = places[slot.place]
    let begin = beginChange(of: slot)
    let last = tag(Shop.services - 1)
    let name = "service \(slot.service) of \(injector) since \(begin)"
    let source = Source(name, in: injector, isConfigured: recipe.isConfigured, round) { [weak injector] in
      if recipe.getsAtEnd { _ = try? injector?.get(Product.self, tag: last) }
    }
    do throws(InjectorError) {
      let injection = recipe.injection(source, in: self)
      try injector.register(as: Product.self, tag: tag(slot.service), injectable: injection)
      let generation = Generation(source: source, recipe: recipe, from: begin, certainFrom: round.tick())
      endChange(of: slot, to: generation)
      if recipe.isClosed, case .lazySingleton(let product?, _) = injection { note(product) }
    } catch {
      expectRefusal(error, of: slot, "register")
    }
  }

  func unregister(_ slot: Slot) {
    let isThere = state.withLock { $0.generations[slot]?.last?.to == .max }
    beginChange(of: slot)
    do throws(InjectorError) {
      try places[slot.place].unregister(Product.self, tag: tag(slot.service))
      round.expect(isThere, "unregistered a service that was not registered: \(slot)")
      endChange(of: slot, to: nil)
    } catch .notRegistered {
      round.expect(!isThere, "could not unregister \(slot)")
    } catch {
      expectRefusal(error, of: slot, "unregister")
    }
  }

  func decorate(_ service: Int, by name: String) {
    do throws(InjectorError) {
      try places[0].decorate(Product.self, tag: tag(service), id: name) { inner, _ in
        Product(wrapping: inner, by: name)
      }
      state.withLock { $0.decorators[service, default: []].append((name, round.tick())) }
    } catch .instanceExists {
      return
    } catch {
      expectRefusal(error, of: Slot(place: 0, service: service), "decorate")
    }
  }

  /// - Parameter close: Closes the place, in one of the possible ways.
  func close(_ place: Int, by close: () -> Void) {
    let began = round.tick()
    state.withLock { $0.closings[place] = $0.closings[place] ?? (began, .max) }
    close()
    state.withLock { $0.closings[place]?.ended = round.tick() }
  }
}

extension Shop {
  /// Marks the content of the slot as uncertain from now on.
  @discardableResult
  private func beginChange(of slot: Slot) -> Int {
    let now = round.tick()
    state.withLock { state in
      guard let last = state.generations[slot]?.indices.last else { return }
      // A second removal of a removed registration does not restore it.
      if state.generations[slot]?[last].to == .max { state.generations[slot]?[last].certainTo = now }
    }
    return now
  }

  private func endChange(of slot: Slot, to next: Generation?) {
    let now = round.tick()
    state.withLock { state in
      var generations = state.generations[slot, default: []]
      if let last = generations.indices.last, generations[last].to == .max { generations[last].to = now }
      state.generations[slot] = generations + (next.map { [$0] } ?? [])
    }
  }

  /// A change may be refused by a closed place and by a sealed one.
  private func expectRefusal(_ error: InjectorError, of slot: Slot, _ change: String) {
    if error.isSealed { return round.expect(places[slot.place].isSealed, "\(change) threw: \(error)") }
    round.expect(error.isClosed && mayBeClosed(slot.place), "\(change) threw: \(error)")
  }

  func mayBeClosed(_ place: Int) -> Bool {
    state.withLock { state in levels(of: place).contains { state.closings[$0] != nil } }
  }

  private var hasClosings: Bool { state.withLock { !$0.closings.isEmpty } }
}

// MARK: - Checks

extension Shop {
  func noteFailedStart() {
    state.withLock { $0.hasFailedStart = true }
  }

  /// Records a new instance, which must be closed once.
  func note(_ product: Product) {
    state.withLock { $0.made.append(product) }
  }

  /// Checks the result of a request for a service, which began at `begin` and has just ended.
  func check(_ product: Product, of service: Int, from place: Int, since begin: Int) {
    let end = round.tick()
    let levels = levels(of: place)
    let text = "\(product), got from \(places[place]) between \(begin) and \(end),"
    let (decorators, nearer, generation, closed) = state.withLock { state in
      let generations = state.generations
      let found = levels.lazy.compactMap { level in
        (generations[Slot(place: level, service: service)] ?? []).first { $0.source === product.source }
          .map { (level, $0) }
      }.first
      // A registration in progress is recorded when it is over.
      let nearer = (found == nil ? [] : levels.prefix { $0 != found?.0 }).filter { level in
        (state.generations[Slot(place: level, service: service)] ?? []).contains {
          $0.certainFrom < begin && $0.certainTo > end
        }
      }
      return (
        (state.decorators[service] ?? []).filter { $0.at < begin }.map(\.name), nearer, found?.1,
        // An inner scope keeps its own registrations.
        levels.prefix { $0 >= found?.0 ?? place }.filter { state.closings[$0].map { $0.ended < begin } ?? false }
      )
    }
    round.expect(closed.isEmpty, "\(text) comes from a closed injector")
    round.expect(nearer.isEmpty, "\(text) is hidden by registrations in \(nearer.map { places[$0] })")
    round.expect(product.closedAt > begin, "\(text) had been closed at \(product.closedAt)")
    round.expect(product.unfinished == nil, "\(text) is seen before \(product.unfinished.map(\.description) ?? "")")
    round.expect(Set(product.decorators).count == product.decorators.count, "\(text) is wrapped twice")
    guard let generation else { return }
    round.expect(generation.to > begin, "\(text) had been unregistered at \(generation.to)")
    if product.source.level == places[0].description {
      round.expect(
        Set(product.decorators).isSuperset(of: decorators), "\(text) has \(product.decorators), not \(decorators)")
    }
    let lifetime = generation.recipe.lifetime
    let isOwn = lifetime == .lazySingleton || lifetime == .weakSingleton || lifetime == .singleton
    let keeper = isOwn ? product.source.level : places[place].description
    round.expect(product.maker == keeper, "\(text) was made from \(product.maker)")
    if lifetime == .lazySingleton || lifetime == .scoped {
      let hiding = isOwn ? [] : levels.prefix { places[$0].description != product.source.level }
      let kept = Kept(
        name: "\(product.source.name) in \(keeper)", nearer: hiding.map { Slot(place: $0, service: service) })
      state.withLock { _ = $0.identities[kept, default: []].insert(product.core.number) }
    }
  }

  /// Checks the reason of a refused request.
  func check(_ error: InjectorError, of service: Int, from place: Int, since begin: Int) {
    let end = round.tick()
    switch error {
    case .captiveDependency, .scopeRequired, .notLoaded, .noCandidate, .timedOut, .cancelled: return
    case .constructionFailed: round.expect(error.isRefused, "a get threw: \(error)")
    // A factory closes its own scope before the instance that it has got there is configured.
    case .closed(let facts) where facts.injector?.hasSuffix("/own") == true: return
    // Requests that finish together fail together.
    case .closed(let facts)
    where facts.injector.map { places[place].description != "Injector(\"\($0)\")" } ?? true:
      round.expect(hasClosings, "a get from \(places[place]) threw: \(error)")
    case .closed: round.expect(mayBeClosed(place), "a get from \(places[place]) threw: \(error)")
    case .notRegistered(let facts) where facts.chain.count == 1 && facts.tag == tag(service).rawValue:
      let standing = state.withLock { state in
        levels(of: place).flatMap { state.generations[Slot(place: $0, service: service)] ?? [] }
          .first { $0.certainFrom < begin && $0.certainTo > end }
      }
      round.expect(standing == nil, "\(standing?.source.name ?? "") was not found from \(begin) to \(end): \(error)")
    case .notRegistered: return
    default: round.expect(false, "a get of \(service) from \(places[place]) threw: \(error)")
    }
  }

  /// Checks the registrations after all operations, closes every injector, and checks which instances were closed.
  func finish(_ random: inout SplitMix64) {
    let (generations, closings) = state.withLock { ($0.generations, $0.closings) }
    for (slot, held) in generations where levels(of: slot.place).allSatisfy({ closings[$0] == nil }) {
      let isHeld = levels(of: slot.place).contains { level in
        generations[Slot(place: level, service: slot.service)]?.last?.to == .max
      }
      let isRegistered = places[slot.place].isRegistered(Product.self, tag: tag(slot.service))
      round.expect(isHeld == isRegistered, "\(held.last?.source.name ?? "") is registered: \(isRegistered)")
    }
    for place in places.indices.reversed() {
      if random.chance(50) { places[place].closeNow() }
      _ = wait { [places] in await places[place].close(timeout: nil).count }
    }
    let (made, identities, hasFailedStart) = state.withLock { state in
      defer { state = State() }
      return (state.made, state.identities, state.hasFailedStart)
    }
    // An instance that a failed start has retired is made again.
    for (kept, numbers) in identities where !hasFailedStart && kept.nearer.allSatisfy({ generations[$0] == nil }) {
      round.expect(numbers.count == 1, "\(kept.name) has been given as \(numbers.sorted())")
    }
    // An instance that was made after its last waiter left is closed in a task of its own.
    for _ in 0..<5_000 where made.contains(where: { $0.timesClosed == 0 }) { sleepBriefly() }
    for product in made {
      round.expect(product.timesClosed == 1, "\(product) was closed \(product.timesClosed) times")
    }
  }
}
