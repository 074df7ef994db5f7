import Plug
import Synchronization
import TestSupport

extension Scenario {
  /// A start that fails while other threads register, replace and unregister.
  static let starts = Scenario("starts") { round, crew in
    var random = round.random
    let injector = Injector("starts", allowRewrite: true)
    let count = random.number(in: 8...40)
    let threads = random.number(in: 2...4)
    let tags = (0..<count).map { Injector.Tag(rawValue: "service \($0)") }
    let register: @Sendable (Int, String) throws -> Source = { index, name in
      let source = Source("\(tags[index]) \(name)", in: injector, round)
      let injection =
        index % 3 == 0
        ? Injection<Product>.lazySingleton { injector async in source.make(from: injector) }
        : .lazySingleton { source.make(from: $0) }.eager()
      try injector.register(as: Product.self, tag: tags[index], injectable: injection.onClose { $0.close() })
      return source
    }
    let standing = Locked<[Source?]>(try (0..<count).map { try register($0, "first") })
    let hasFailed = Atomic(false)
    let patience = random.number(in: 0...count)
    let isFailing = random.chance(85)
    try injector.register(
      as: Int.self,
      injectable: .lazySingleton { injector in
        for index in 0..<patience where index % 3 == 0 {
          _ = try? await injector.load(Product.self, tag: tags[index % count])
        }
        hasFailed.store(true, ordering: .releasing)
        if isFailing { throw Refused() }
        return 1
      })
    round.note("\(count) services, the start \(isFailing ? "fails" : "succeeds") after \(patience) services")
    let waits = random.chance(80)
    crew.run(
      (0..<threads).map { thread in
        if thread == 0 {
          return {
            let outcome = wait { () async -> InjectorError? in
              do throws(InjectorError) { try await injector.start() } catch { return error }
              return nil
            }
            if let outcome { round.expect(isFailing && outcome.isRefused, "the start threw: \(outcome)") }
          }
        }
        let delay = random.delay()
        let plan = (0..<count).filter { $0 % (threads - 1) == thread - 1 }.map { ($0, random.number(in: 0...3)) }
        let steps = plan.filter { $1 < 3 }.map { "\($1 < 2 ? "unregister" : "replace") \($0)" }
        round.note("thread \(thread): \(steps.joined(separator: ", "))")
        return {
          while waits, !hasFailed.load(ordering: .acquiring) { pause(64) }
          pause(delay)
          for (index, choice) in plan {
            do {
              if choice < 2 {
                try injector.unregister(Product.self, tag: tags[index])
                standing.withLock { $0[index] = nil }
              } else if choice == 2 {
                let source = try register(index, "second")
                standing.withLock { $0[index] = source }
              }
            } catch {
              round.expect(false, "a change threw: \(error)")
            }
          }
        }
      })
    for (tag, source) in zip(tags, standing.withLock { $0 }) {
      let isRegistered = injector.isRegistered(Product.self, tag: tag)
      round.expect(isRegistered == (source != nil), "\(tag) is \(isRegistered ? "registered again" : "lost")")
      guard let source, isRegistered else { continue }
      let outcome = wait { () async -> Result<String, InjectorError> in
        do throws(InjectorError) {
          return .success(try await injector.load(Product.self, tag: tag).source.name)
        } catch {
          return .failure(error)
        }
      }
      switch outcome {
      case .success(let name): round.expect(name == source.name, "\(tag) is \(name) in place of \(source.name)")
      case .failure(let error): round.expect(false, "\(tag) cannot be loaded: \(error)")
      }
    }
    _ = wait { await injector.close(timeout: nil).count }
  }
}
