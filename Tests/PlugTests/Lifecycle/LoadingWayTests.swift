import Plug
import TestSupport
import Testing

@Suite("A load for a synchronous factory", .timeLimit(.minutes(10)))
struct LoadingWayTests {
  enum End: CaseIterable { case cancelled, timedOut, closed, failed }

  @Test("throws errors with that factory and the place of its request, however it ends", arguments: End.allCases)
  func tells(end: End) async throws {
    let injector = Injector("loading")
    let latch = Latch()
    try injector.register(
      as: LoadedDatabase.self,
      injectable: .lazySingleton {
        await latch.wait()
        if end == .failed { throw Failure() }
        try await Task.sleep(for: .seconds(600))
        return LoadedDatabase()
      }.timeout(loading: end == .timedOut ? .milliseconds(1) : nil), fileID: "Shop/Main.swift", line: 3)
    try injector.register { injector in
      try LoadedRepository(database: injector.get(fileID: "Shop/Main.swift", line: 4))
    }
    let load = Task { try await injector.load(LoadedRepository.self) }
    await latch.arrivals(1)
    latch.open()
    if end == .cancelled { load.cancel() }
    if end == .closed { await injector.close() }
    let error = try #require(await #expect(throws: InjectorError.self) { try await load.value })
    let isAsExpected =
      switch (error, end) {
      case (.cancelled, .cancelled), (.timedOut, .timedOut), (.closed, .closed), (.constructionFailed, .failed): true
      default: false
      }
    #expect(isAsExpected, "\(error)")
    #expect(error.facts.chain == ["LoadedRepository", "LoadedDatabase"])
    #expect(place(error) == "Shop/Main.swift:4")
  }

  @Test("that is cancelled before it begins throws the same, and so does a start")
  func cancelledBefore() async throws {
    let injector = Injector("loading")
    try injector.register(injectable: .lazySingleton { () async in LoadedDatabase() })
    try injector.register { injector in
      withUnsafeCurrentTask { $0?.cancel() }
      return try LoadedRepository(database: injector.get(fileID: "Shop/Main.swift", line: 4))
    }
    let load = Task { try await injector.load(LoadedRepository.self) }
    let error = try #require(await #expect(throws: InjectorError.self) { try await load.value })
    #expect(error.facts.chain == ["LoadedRepository", "LoadedDatabase"])
    #expect(place(error) == "Shop/Main.swift:4")
    let start = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await injector.start()
    }
    #expect(
      await #expect(throws: InjectorError.self) { try await start.value }?.description == """
        The start of the injector was cancelled.
          injector:       loading
        To fix this:
          - Start it from a task that lives long enough. If you meant to cancel the task, there is nothing to fix.
        """)
  }
}
