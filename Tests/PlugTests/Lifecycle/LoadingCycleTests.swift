import Plug
import TestSupport
import Testing

@Suite("Loading in a cycle", .timeLimit(.minutes(10)))
struct LoadingCycleTests {
  let injector = Injector("loading")

  @Test("asynchronous services that need each other throw a circular dependency with the path")
  func circle() async throws {
    try injector.register(injectable: .lazySingleton { injector in try await Left(injector.load(Right.self)) })
    try injector.register { try LoadedRepository(database: $0.get()) }
    try injector.register(
      as: LoadedDatabase.self,
      injectable: .lazySingleton { injector in
        _ = try await injector.load(Left.self); return LoadedDatabase()
      })
    try injector.register(
      injectable: .lazySingleton { injector in try await Right(injector.load(LoadedRepository.self)) })
    let error = await #expect(throws: InjectorError.self) { try await injector.load(Right.self) }
    guard case .circularDependency(_, let path) = try #require(error) else { throw try #require(error) }
    #expect(path == ["Right", "LoadedRepository", "LoadedDatabase", "Left", "Right"])
  }

  @Test("an asynchronous service that needs itself throws a circular dependency")
  func selfCircle() async throws {
    try injector.register(
      as: LoadedDatabase.self,
      injectable: .lazySingleton { injector in try await injector.load(LoadedDatabase.self) })
    let error = await #expect(throws: InjectorError.self) { try await injector.load(LoadedDatabase.self) }
    guard case .circularDependency(_, let path) = try #require(error) else { throw try #require(error) }
    #expect(path == ["LoadedDatabase", "LoadedDatabase"])
  }

  @Test("a configuration waits for the loaded instance whose decorator has led to it")
  func configuration() async throws {
    let log = Log()
    try injector.register(
      as: Log.self,
      injectable: .lazySingleton { log }.configure { log, injector in
        log.add(try injector.get(LoadedDatabase.self).name)
      })
    try injector.decorate(LoadedDatabase.self) { database, injector in
      _ = try injector.get(Log.self)
      return database
    }
    try injector.register(as: LoadedDatabase.self, injectable: .lazySingleton { () async in LoadedDatabase() })
    let database = try await injector.load(LoadedDatabase.self)
    #expect(log.lines == [database.name])
  }

  @Test("a task that the closure has begun may load the service later")
  func background() async throws {
    let (latch, done) = (Latch(), Latch())
    try injector.register(
      as: LoadedDatabase.self,
      injectable: .lazySingleton { [injector] in
        Task {
          await latch.wait()
          _ = try await injector.load(LoadedDatabase.self)
          done.open()
        }
        await Task.yield()
        return LoadedDatabase()
      })
    _ = try await injector.load(LoadedDatabase.self)
    latch.open()
    await done.wait()
  }

  @Test("that does not end because a factory opens another scope in each attempt throws an error that says so")
  func endless() async throws {
    let attempts = Counter()
    try injector.register(
      injectable: .scoped { () async throws in LoadedDatabase() }, fileID: "Shop/Main.swift", line: 3)
    try injector.register(
      injectable: .factory { injector in
        attempts.increment()
        return LoadedRepository(database: try injector.makeScope("report").get())
      })
    let error = await #expect(throws: InjectorError.self) { try await injector.load(LoadedRepository.self) }
    #expect(
      error?.description == """
        LoadedDatabase cannot be loaded: each of 1000 attempts needs another instance of it.
          service:        LoadedDatabase
          injector:       loading/report
          chain:          LoadedRepository → LoadedDatabase
          asked at:       \(place(error))
          registered at:  Shop/Main.swift:3
        To fix this:
          - Open its scope before the load: a factory that opens one opens another one in each attempt.
          - Or load it in the factory, which then has to be asynchronous.
        """)
    #expect(attempts.value == 1_001)
  }
}
