import Plug
import PlugKeys
import PlugOperations
import TestSupport

extension Scenario {
  /// Every operation on every place, by one to eight threads, in any order.
  static let operations = Scenario("operations") { round, crew in
    var random = round.random
    let shop = Shop(round, &random)
    let threads = random.number(in: 1...8)
    round.note("places: \(shop.places), \(threads) threads")
    for service in 0..<Shop.services where random.chance(70) {
      let recipe = Recipe(of: service, round, &random)
      round.note("register \(service): \(recipe.text)")
      shop.register(recipe, in: Shop.Slot(place: 0, service: service))
    }
    try shop.registerPoint()
    let observation = shop.places[0].observe(Mood.self) { [unowned shop] _ in
      _ = try? shop.places[0].get(Product.self, tag: shop.tag(Shop.services - 1))
    }
    let plans = (0..<threads).map { thread in
      (0..<random.number(in: 3...12)).map { Operation($0, ofThread: thread, of: threads, in: shop, &random) }
    }
    for (thread, plan) in plans.enumerated() {
      for operation in plan { round.note("thread \(thread): \(operation.text)") }
    }
    crew.run(plans.map { plan in { for operation in plan { operation.perform(in: shop) } } })
    observation.cancel()
    if random.chance(20) { shop.seal() }
    shop.finish(&random)
  }
}

/// One operation of a thread.
private struct Operation: Sendable {
  enum Kind {
    case get, getAll, getByID, choose, load, scope, set, validate, graph, start, register, unregister, decorate,
      close
    case closeAndWait
  }

  let kind: Kind
  let place: Int
  let service: Int
  let recipe: Recipe
  let name: String
  let delay: Int

  init(_ number: Int, ofThread thread: Int, of threads: Int, in shop: Shop, _ random: inout SplitMix64) {
    let place = random.number(in: 0...shop.places.count - 1)
    let service = random.number(in: 0...Shop.services - 1)
    let isOwn = (place + service) % threads == thread
    let change = isOwn ? random.pick(Kind.register, .unregister) : .get
    let rare = place > 0 && random.chance(30) ? random.pick(Kind.close, .closeAndWait) : .get
    let drawn = random.pick(
      .get, .get, .get, .getAll, .getByID, .choose, .load, .scope, .set, .validate, .graph, .start, change, change,
      change, .decorate, rare)
    kind = shop.round.leavesOut("\(drawn)") ? .get : drawn
    (self.place, self.service) = (place, service)
    recipe = Recipe(of: service, shop.round, &random)
    name = "decorator \(thread).\(number)"
    delay = random.delay()
  }

  var text: String {
    switch kind {
    case .register: "register \(service) in \(place): \(recipe.text)"
    case .set, .validate, .graph, .start, .close, .closeAndWait: "\(kind) in \(place)"
    default: "\(kind) \(service) in \(place)"
    }
  }

  func perform(in shop: Shop) {
    pause(delay)
    let (injector, tag) = (shop.places[place], shop.tag(service))
    switch kind {
    case .get: get(in: shop) { () throws(InjectorError) in try injector.get(Product.self, tag: tag) }
    case .getAll: get(in: shop) { () throws(InjectorError) in try injector.getAll(Product.self, tag: tag).first }
    case .getByID:
      get(in: shop) { () throws(InjectorError) in try injector.get([String: Product].self, tag: tag).values.first }
    case .choose: shop.choose(service, from: place)
    case .load:
      get(in: shop) { () throws(InjectorError) in
        try wait { () async -> Result<Product, InjectorError> in
          do throws(InjectorError) { return .success(try await injector.load(Product.self, tag: tag)) } catch {
            return .failure(error)
          }
        }.get()
      }
    case .scope:
      let scope = injector.makeScope("brief")
      defer { scope.closeNow() }
      if case .success(let product) = scope.outcome(tag) {
        let isOwn = product.maker == scope.description || product.maker == product.source.level
        shop.round.expect(isOwn, "\(scope) got \(product), made from \(product.maker)")
      }
    case .set: if place == 0 { injector[Mood.self] += 1 }
    case .validate: shop.validate(place)
    case .graph: _ = injector.graph()
    case .start:
      let hasFailed = wait {
        do { try await injector.start() } catch { return true }
        return false
      }
      if hasFailed { shop.noteFailedStart() }
    case .register: shop.register(recipe, in: Shop.Slot(place: place, service: service))
    case .unregister: shop.unregister(Shop.Slot(place: place, service: service))
    case .decorate: shop.decorate(service, by: name)
    case .close: shop.close(place) { injector.closeNow() }
    case .closeAndWait: shop.close(place) { _ = wait { await injector.close(timeout: nil).count } }
    }
  }

  private func get(in shop: Shop, _ body: () throws(InjectorError) -> Product?) {
    let begin = shop.round.tick()
    do throws(InjectorError) {
      if let product = try body() { shop.check(product, of: service, from: place, since: begin) }
    } catch {
      shop.check(error, of: service, from: place, since: begin)
    }
  }
}

extension Shop {
  /// Registers candidates whose rules need services and properties.
  fileprivate func registerPoint() throws {
    let last = tag(Shop.services - 1)
    try places[0].register(
      PluginPoint<Int, Int>("point") {
        Candidate("even", .factory { 2 }).when(Rule("is even") { $0 % 2 == 0 })
        Candidate("four", .lazySingleton { 4 })
          .when(
            Rule("is divided by four") { [unowned self] number in
              _ = try? places[0].get(Product.self, tag: last)
              return number % 4 == 0
            })
        Candidate("any", .factory { 1 })
      }, tag: "point")
  }

  fileprivate func choose(_ number: Int, from place: Int) {
    do throws(InjectorError) {
      let chosen = try places[place].getAll(Int.self, tag: "point", in: number)
      let expected = (number % 2 == 0 ? [2] : []) + (number % 4 == 0 ? [4] : []) + [1]
      round.expect(chosen == expected, "\(chosen) were chosen for \(number), not \(expected)")
    } catch {
      round.expect(error.isClosed && mayBeClosed(place), "a choice from \(places[place]) threw: \(error)")
    }
  }

  fileprivate func validate(_ place: Int) {
    do throws(InjectorError) {
      try places[place].validate()
    } catch .invalid {
      return
    } catch {
      round.expect(error.isClosed && mayBeClosed(place), "validate in \(places[place]) threw: \(error)")
    }
  }

  fileprivate func seal() {
    guard (try? places[0].seal()) != nil else { return }
    for service in 0..<Shop.services { unregister(Slot(place: 0, service: service)) }
    for service in 0..<Shop.services {
      let begin = round.tick()
      switch places[0].outcome(tag(service)) {
      case .success(let product): check(product, of: service, from: 0, since: begin)
      case .failure(let error): check(error, of: service, from: 0, since: begin)
      }
    }
  }
}
