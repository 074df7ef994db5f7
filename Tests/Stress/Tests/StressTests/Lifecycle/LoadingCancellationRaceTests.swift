import Plug
import TestSupport
import Testing

private final class Session: Sendable {}

@Suite("Loads whose only waiter is cancelled", .repeatable, .serialized)
struct LoadingCancellationRaceTests {
  @Test("do not run on, at whatever moment that happens")
  func cancelled() async throws {
    try await Rounds.run { round in
      var random = round.random
      let (injector, begun, ended) = (Injector(), Counter(), Counter())
      try injector.register(
        injectable: .lazySingleton { () async throws in
          begun.increment()
          defer { ended.increment() }
          // Ends only if the load is cancelled.
          while !Task.isCancelled { await Task.yield() }
          throw Failure()
        } as Injection<Session>)
      let task = Task.detached { _ = try? await injector.load(Session.self) }
      let delay = random.number(in: 0...200)
      for _ in 0..<delay { yieldThread() }
      task.cancel()
      await task.value
      // The load is cancelled although its injector stays open.
      for _ in 0..<1_000_000 where ended.value < begun.value { await Task.yield() }
      #expect(ended.value == begun.value)
      await injector.close()
    }
  }
}
