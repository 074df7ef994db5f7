import TestSupport
import Testing

@testable import Plug

/// The outcomes of one round.
private struct Cancellations {
  let constructions: Counter
  let outcomes: [Result<Instance, any Error>]

  /// Loads a service in several new tasks, and cancels some of them: never the first.
  static func run(mindsCancellation: Bool, _ generator: inout SplitMix64) async throws -> Cancellations {
    let (injector, constructions) = (Injector(), Counter())
    try injector.register(
      injectable: .lazySingleton {
        for _ in 0..<3 { await Task.yield() }
        if mindsCancellation { try Task.checkCancellation() }
        constructions.increment()
        return Instance()
      })
    let start = Latch()
    let tasks = (0..<100).map { _ in
      Task {
        await start.wait()
        return try await injector.load(Instance.self)
      }
    }
    await start.arrivals(100)
    let cancelled = (1..<100).filter { _ in Bool.random(using: &generator) }.shuffled(using: &generator)
    // Some are cancelled before they begin, some while they wait.
    let early = cancelled.count / 3
    for number in cancelled.prefix(early) { tasks[number].cancel() }
    start.open()
    for number in cancelled.dropFirst(early) {
      await Task.yield()
      tasks[number].cancel()
    }
    var outcomes: [Result<Instance, any Error>] = []
    for task in tasks { outcomes.append(await task.result) }
    for number in cancelled {
      if case .failure(InjectorError.cancelled) = outcomes[number] { outcomes[number] = outcomes[0] }
    }
    return Cancellations(constructions: constructions, outcomes: outcomes)
  }
}

@Suite("Loading at the same time", .repeatable, .timeLimit(.minutes(10)))
struct LoadingRaceTests {
  @Test(
    "100 tasks load a service at once, and random ones are cancelled: the others get the one instance",
    arguments: [true, false])
  func cancelled(mindsCancellation: Bool) async throws {
    try await Rounds.run { round in
      var random = round.random
      let round = try await Cancellations.run(mindsCancellation: mindsCancellation, &random)
      let instance = try round.outcomes[0].get()
      #expect(round.constructions.value == 1)
      #expect(round.outcomes.allSatisfy { (try? $0.get()) === instance })
    }
  }

  @Test("Loads that have found their service before the injector was closed all end")
  func closed() async throws {
    try await Rounds.run { _ in
      let injector = Injector()
      try injector.register(injectable: .lazySingleton { () async in Instance() })
      let cell = try #require(try injector.find(Key(Instance.self)))
      let loads = (0..<4).map { _ in Task { try await cell.load(in: injector, by: [], Deadline(limit: .seconds(20))) } }
      injector.closeNow()
      for load in loads {
        if case .failure(let error) = await load.result {
          guard case .closed = InjectorError(error) else { throw error }
        }
      }
    }
  }
}
