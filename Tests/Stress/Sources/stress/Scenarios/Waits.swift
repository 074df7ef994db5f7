import Plug
import TestSupport

extension Scenario {
  /// Loads that close injectors, and closings that load, some of which would wait for each other: all of them end.
  static let waits = Scenario("waits") { round, crew in
    var random = round.random
    let injectors = (0..<random.number(in: 1...3)).map { _ in Injector("waits") }
    let scopes = injectors.map { $0.makeScope("scope") }
    let made = Locked<[Product]>([])
    for (index, injector) in injectors.enumerated() {
      let places = injectors + scopes
      for tag in ["first", "second"] {
        let source = Source("\(tag) \(index)", in: injector, round)
        let (making, ending) = (Act(&random, places.count), Act(&random, places.count))
        let (isAsynchronous, isScoped) = (random.chance(60), random.chance(40))
        let delay = random.number(in: 0...3)
        round.note(
          "\(source.name)\(isScoped ? ", scoped" : ""): making \(making.text), "
            + "closing\(isAsynchronous ? " asynchronously" : "") \(ending.text)")
        let make: @Sendable (Injector) async throws -> Product = { injector in
          for _ in 0..<delay { await Task.yield() }
          await making.perform(in: places)
          let product = source.make(from: injector)
          made.withLock { $0.append(product) }
          return product
        }
        var injection = isScoped ? Injection<Product>.scoped(make) : .lazySingleton(make)
        if isAsynchronous {
          injection = injection.onClose { product async in
            await ending.perform(in: places)
            product.close()
          }
        } else {
          injection = injection.onClose { product in
            product.close()
            ending.performNow(in: places)
          }
        }
        try injector.register(as: Product.self, tag: .init(rawValue: tag), injectable: injection)
      }
    }
    let threads = random.number(in: 1...4)
    crew.run(
      (0..<threads).map { thread in
        let acts = (0..<random.number(in: 1...3)).map { _ in Act(&random, injectors.count * 2) }
        round.note("thread \(thread): \(acts.map(\.text).joined(separator: ", "))")
        return { wait { for act in acts { await act.perform(in: injectors + scopes) } } }
      })
    wait { for injector in scopes + injectors { await injector.close(timeout: nil) } }
    let all = made.withLock { made in
      defer { made = [] }
      return made
    }
    for product in all where product.timesClosed > 1 {
      round.expect(false, "\(product) was closed \(product.timesClosed) times")
    }
    // A closing that would wait for itself does not wait. Some instances are then closed a little later.
    for _ in 0..<5_000 where all.contains(where: { $0.timesClosed == 0 }) { sleepBriefly() }
    for product in all where product.timesClosed == 0 { round.expect(false, "\(product) was never closed") }
  }
}

/// Something that waits.
private struct Act: Sendable {
  enum Kind { case nothing, load, get, close, start }

  let kind: Kind
  let place: Int
  let tag: String

  init(_ random: inout SplitMix64, _ places: Int) {
    kind = random.pick(.nothing, .load, .load, .load, .get, .close, .close, .start)
    place = random.number(in: 0...places - 1)
    tag = random.pick("first", "second")
  }

  var text: String { kind == .nothing ? "nothing" : "\(kind) \(tag) in \(place)" }

  func perform(in places: [Injector]) async {
    switch kind {
    case .nothing: return
    case .load: _ = try? await places[place].load(Product.self, tag: .init(rawValue: tag))
    case .get: _ = try? places[place].get(Product.self, tag: .init(rawValue: tag))
    case .close: await places[place].close(timeout: nil)
    case .start: try? await places[place].start()
    }
  }

  func performNow(in places: [Injector]) {
    switch kind {
    case .nothing, .load, .start: return
    case .get: _ = try? places[place].get(Product.self, tag: .init(rawValue: tag))
    case .close: places[place].closeNow()
    }
  }
}
