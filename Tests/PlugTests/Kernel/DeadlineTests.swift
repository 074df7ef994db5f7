import Plug
import TestSupport
import Testing

private final class Pool: Sendable {}

private final class Worker: Sendable {
  let task: Task<Pool, any Error>
  init(_ task: Task<Pool, any Error>) { self.task = task }
}

@Suite("Time limits", .timeLimit(.minutes(10)))
struct DeadlineTests {
  @Test(
    "of any length do not end the program",
    arguments: [Duration.seconds(Int64.max), Duration(secondsComponent: .max, attosecondsComponent: .max)])
  func longest(limit: Duration) async throws {
    let injector = Injector()
    try injector.register(
      injectable: .lazySingleton {
        await Task.yield()
        return Pool()
      }.timeout(loading: limit, closing: limit).onClose { _ in await Task.yield() })
    try await injector.start(timeout: limit)
    _ = try injector.get(Pool.self)
    #expect(await injector.close(timeout: limit).isEmpty)
  }

  @Test("that are zero or negative end at once", arguments: [Duration.zero, .seconds(-1), .seconds(Int64.min)])
  func shortest(limit: Duration) async throws {
    let (injector, latch) = (Injector(), Latch())
    try injector.register(
      injectable: .lazySingleton {
        await latch.wait()
        return Pool()
      }.timeout(loading: limit))
    let error = await #expect(throws: InjectorError.self) { try await injector.load(Pool.self) }
    guard case .timedOut(_, after: limit) = try #require(error) else { throw try #require(error) }
    latch.open()
    _ = try? await injector.load(Pool.self)
  }

  @Test("end with the call that set them, also in tasks that were begun during the call")
  func ended() async throws {
    let (program, other, clock) = (Injector(), Injector(), TestClock())
    let (hasStarted, isLoading, isReady) = (Latch(), Latch(), Latch())
    try other.register(
      injectable: .lazySingleton {
        isLoading.open()
        await isReady.wait()
        return Pool()
      })
    try program.register(
      injectable: .lazySingleton { () async throws -> Worker in
        Worker(
          Task {
            await hasStarted.wait()
            return try await other.load(Pool.self)
          })
      })
    try await program.start(timeout: .seconds(1), clock: clock)
    hasStarted.open()
    await isLoading.wait()
    for _ in 0..<100 { await Task.yield() }  // A timer would sleep by now.
    clock.advance(by: .seconds(2))
    isReady.open()
    let pool = try await program.get(Worker.self).task.value
    #expect(try pool === other.get(Pool.self))
  }
}
