import TestSupport
import Testing

@testable import Plug

private struct Page: Sendable {
  let thread: UInt
}

@Suite("A load, over and over,", .repeatable)
struct LoadingHereRaceTests {
  @Test("runs on the calling thread if no other task joins it and it never waits")
  func here() async throws {
    let services = Injector()
    try services.register(
      injectable: .scoped { () async throws -> Page in Page(thread: threadNumber) })
    try services.seal()
    try await Rounds.run(50) { _ in
      let isHere = try await Task.detached {
        let scope = services.makeScope()
        let here = threadNumber
        let isHere = try await scope.load(Page.self).thread == here
        await scope.close()
        return isHere
      }.value
      #expect(isHere)
    }
  }

  @Test("returns or throws exactly once per caller, whatever tasks are cancelled")
  func cancelled() async throws {
    try await Rounds.run(16) { round in
      let (services, count) = (Injector(), Counter())
      try services.register(
        injectable: .lazySingleton { () async throws -> Page in
          count.increment()
          await Task.yield()
          try Task.checkCancellation()
          return Page(thread: 1)
        })
      let tasks = (0..<8).map { _ in Task { try await services.load(Page.self).thread } }
      let cancelled = round.number % 8
      for task in tasks.prefix(cancelled) { task.cancel() }
      var loaded = 0
      for task in tasks.suffix(8 - cancelled) { loaded += try await task.value == 1 ? 1 : 0 }
      for task in tasks { _ = await task.result }
      #expect(loaded == 8 - cancelled)
      #expect(count.value <= 8)
    }
  }
}
