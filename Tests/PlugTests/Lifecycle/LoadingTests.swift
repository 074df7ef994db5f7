import Plug
import PlugOperations
import Synchronization
import TestSupport
import Testing

private struct Both: Sendable {
  let repository: LoadedRepository
  init(_ left: Left, _ right: Right, _ repository: LoadedRepository) async { self.repository = repository }
}

@Suite("Loading", .timeLimit(.minutes(10)))
struct LoadingTests {
  let injector = Injector("loading")

  @Test("a service made asynchronously is loaded once, and then got like any other")
  func loadAndGet() async throws {
    let count = Atomic(0)
    try injector.register(
      as: LoadedDatabase.self,
      injectable: .lazySingleton {
        await Task.yield()
        count.add(1, ordering: .relaxed)
        return LoadedDatabase()
      })
    let first: LoadedDatabase = try await injector.load()
    let second = try await injector.load(LoadedDatabase.self)
    #expect(first === second)
    #expect(try injector.get(LoadedDatabase.self) === first)
    #expect(count.load(ordering: .relaxed) == 1)
    try injector.seal()
    #expect(try injector.get(LoadedDatabase.self) === first)
  }

  @Test("a load that a more urgent task waits for becomes as urgent")
  func priority() async throws {
    let latch = Latch()
    try injector.register(
      as: LoadedDatabase.self,
      injectable: .lazySingleton {
        await latch.wait()
        while Task.currentPriority < .high { await Task.yield() }
        return LoadedDatabase()
      })
    let first = Task(priority: .low) { try await injector.load(LoadedDatabase.self) }
    await latch.arrivals(1)
    let second = Task(priority: .high) { try await injector.load(LoadedDatabase.self) }
    await injector.waiters(2)
    latch.open()
    #expect(try await first.value === second.value)
  }

  @Test("closures and functions keep their kind, synchronous or not")
  func typed() async throws {
    @Sendable func makeOne() throws -> LoadedDatabase { LoadedDatabase("one") }
    @Sendable func makeTwo(_ injector: Injector) throws -> LoadedDatabase { LoadedDatabase("two") }
    @Sendable func loadThree(_ injector: Injector) async throws -> LoadedDatabase { LoadedDatabase("three") }
    try injector.register(as: LoadedDatabase.self, tag: "one", injectable: .lazySingleton(makeOne))
    try injector.register(as: LoadedDatabase.self, tag: "two", injectable: .lazySingleton(makeTwo))
    try injector.register(as: LoadedDatabase.self, tag: "three", injectable: .lazySingleton(loadThree))
    try injector.register(
      as: LoadedDatabase.self, tag: "four",
      injectable: .lazySingleton { (injector: Injector) async throws -> LoadedDatabase in
        try injector.get(tag: "one")
      })
    #expect(try injector.get(LoadedDatabase.self, tag: "one").name == "one")
    #expect(try injector.get(LoadedDatabase.self, tag: "two").name == "two")
    #expect(try await injector.load(LoadedDatabase.self, tag: "three").name == "three")
    #expect(try await injector.load(LoadedDatabase.self, tag: "four").name == "one")
  }

  @Test("a get before the load throws an error that says what to do")
  func notLoaded() throws {
    try injector.register(
      as: LoadedDatabase.self,
      injectable: .lazySingleton {
        await Task.yield(); return LoadedDatabase()
      }, fileID: "Shop/Main.swift",
      line: 3)
    try injector.register(fileID: "Shop/Main.swift", line: 4) { try LoadedRepository(database: $0.get()) }
    let error = #expect(throws: InjectorError.self) { try injector.get(LoadedRepository.self) }
    #expect(
      "\(try #require(error))" == """
        get(LoadedDatabase.self) failed: LoadedDatabase is made asynchronously and has not been loaded yet.
          service:        LoadedDatabase
          injector:       loading
          chain:          LoadedRepository → LoadedDatabase
          asked at:       \(place(error))
          registered at:  Shop/Main.swift:3
        To fix this:
          - Load it: try await Injector["loading"].load(LoadedDatabase.self).
          - Or start the injector before you use it: try await Injector["loading"].start().
        """)
  }

  @Test("a load makes the asynchronous dependencies of a synchronous service")
  func through() async throws {
    try injector.register(
      as: LoadedDatabase.self,
      injectable: .lazySingleton {
        await Task.yield(); return LoadedDatabase()
      })
    try injector.register { try LoadedRepository(database: $0.get()) }
    let repository: LoadedRepository = try await injector.load()
    #expect(try repository.database === injector.get(LoadedDatabase.self))
  }

  @Test("the parameters of an asynchronous initializer are loaded, at the same time")
  func wiring() async throws {
    #if canImport(PlugOperations)
      injector.recordDependencies()
    #endif
    let latch = Latch()
    try injector.register(
      as: LoadedDatabase.self,
      injectable: .lazySingleton {
        await Task.yield(); return LoadedDatabase()
      })
    try injector.register { try LoadedRepository(database: $0.get()) }
    try injector.register(
      injectable: .lazySingleton {
        await latch.wait(); return Left(0)
      })
    try injector.register(
      injectable: .lazySingleton {
        await latch.wait(); return Right(0)
      })
    try injector.register(injectable: .lazySingleton(wiring: Both.init))
    async let both = injector.load(Both.self)
    await latch.arrivals(2)
    latch.open()
    #expect(try await both.repository.database === injector.get(LoadedDatabase.self))
    #expect(
      injector.graph().description == """
        Both (lazySingleton, asynchronous, constructed)
          Left (lazySingleton, asynchronous, constructed)
          LoadedRepository (lazySingleton, constructed)
            LoadedDatabase (lazySingleton, asynchronous, constructed)
          Right (lazySingleton, asynchronous, constructed)
        """)
  }

  @Test("a failure is not kept, and its error shows the chain")
  func failure() async throws {
    let count = Atomic(0)
    try injector.register(
      as: LoadedDatabase.self,
      injectable: .lazySingleton {
        await Task.yield()
        if count.add(1, ordering: .relaxed).newValue == 1 { throw Failure() }
        return LoadedDatabase()
      }, fileID: "Shop/Main.swift", line: 3)
    try injector.register(
      injectable: .lazySingleton { injector in try await LoadedRepository(database: injector.load()) })
    let error = await #expect(throws: InjectorError.self) { try await injector.load(LoadedRepository.self) }
    #expect(
      "\(try #require(error))" == """
        LoadedDatabase could not be made: the disk is full
          service:        LoadedDatabase
          injector:       loading
          chain:          LoadedRepository → LoadedDatabase
          asked at:       \(place(error))
          registered at:  Shop/Main.swift:3
        To fix this:
          - Check the factory, which threw Failure. The next get tries again.
        """)
    #expect(try await injector.load(LoadedRepository.self).database === injector.get(LoadedDatabase.self))
  }

  @Test("each scope loads its own instance, and a singleton cannot keep it")
  func scopes() async throws {
    try injector.register(
      as: LoadedDatabase.self,
      injectable: .scoped {
        await Task.yield(); return LoadedDatabase()
      })
    try injector.register(injectable: .scoped { try LoadedRepository(database: $0.get()) })
    let scopes = [injector.makeScope("first"), injector.makeScope("second")]
    let databases = [
      try await scopes[0].load(LoadedRepository.self).database, try await scopes[0].load(LoadedDatabase.self),
      try await scopes[1].load(LoadedDatabase.self),
    ]
    #expect(databases[0] === databases[1])
    #expect(databases[1] !== databases[2])
    let error = await #expect(throws: InjectorError.self) { try await injector.load(LoadedDatabase.self) }
    guard case .scopeRequired = try #require(error) else { throw try #require(error) }

    try injector.register(
      injectable: .lazySingleton { _ in try await Left(scopes[0].load(LoadedDatabase.self)) })
    let capture = await #expect(throws: InjectorError.self) { try await injector.load(Left.self) }
    guard case .captiveDependency(_, let path) = try #require(capture) else { throw try #require(capture) }
    #expect(path == ["Left (lazySingleton)", "LoadedDatabase (scoped)"])
    for scope in scopes { await scope.close() }
  }

  @Test("candidates made asynchronously are chosen by the same rules")
  func candidates() async throws {
    try injector.register(
      PluginPoint<LoadedDatabase, Bool>("database") {
        Candidate(
          "fast",
          .lazySingleton {
            await Task.yield(); return LoadedDatabase("fast")
          }
        ).when(Rule("fast") { $0 })
        Candidate(
          "slow",
          .lazySingleton {
            await Task.yield(); return LoadedDatabase("slow")
          })
      })
    #expect(try await injector.load(LoadedDatabase.self, in: true).name == "fast")
    #expect(try injector.get(LoadedDatabase.self, in: true).name == "fast")
    let error = #expect(throws: InjectorError.self) { try injector.get(LoadedDatabase.self, in: false) }
    guard case .notLoaded(let facts) = try #require(error) else { throw try #require(error) }
    #expect(facts.candidate == "slow")
    #expect(try await injector.load(LoadedDatabase.self, in: false).name == "slow")
  }

  @Test("a configuration runs before the instance is published, and may get services that need the instance")
  func configured() async throws {
    let log = Log()
    try injector.register(
      as: LoadedDatabase.self,
      injectable: .lazySingleton {
        await Task.yield(); return LoadedDatabase()
      }.configure { database, injector in
        log.add("configured with \(try injector.get(LoadedRepository.self).database === database)")
      })
    try injector.register { try LoadedRepository(database: $0.get()) }
    _ = try await injector.load(LoadedRepository.self)
    #expect(log.lines == ["configured with true"])
  }

  @Test("the service of a provider can be loaded")
  func provider() async throws {
    #expect(try await injector.catalogue.load().database === injector.get(LoadedDatabase.self, tag: "catalogue"))
    #expect(try injector.catalogue.get().database === injector.get(LoadedDatabase.self, tag: "catalogue"))
  }
}

extension Injector {
  fileprivate var catalogue: Provider<LoadedRepository> {
    provide(
      .lazySingleton { injector in
        try injector.register(as: LoadedDatabase.self, tag: "catalogue", injectable: .singleton(LoadedDatabase()))
        return try await LoadedRepository(database: injector.load(tag: "catalogue"))
      })
  }
}
