import Plug
import Synchronization
import Testing

private protocol Database: Sendable { func disconnect() async throws }

private struct Busy: Error, CustomStringConvertible { let description = "a statement is running" }

private final class Connection: Database {
  func disconnect() async throws { throw Busy() }
}

private func connect() async throws -> any Database {
  await Task.yield()
  return Connection()
}

private struct Repository: Sendable { let database: any Database }

@globalActor private actor StorageActor { static let shared = StorageActor() }
@StorageActor private final class Storage {}

private struct Logger {
  let log = Log()

  func error(_ message: String) {
    log.add(message)
  }
}

@Suite("The guide Starting and closing")
struct StartingAndClosingGuideTests {
  @Test("A load connects, and then a get returns what exists")
  func loading() async throws {
    let services = Injector()
    try services.register(
      (any Database).self,
      .lazySingleton { try await connect() }
        .onClose { try await $0.disconnect() })
    try services.register { try Repository(database: $0.get()) }

    // Connects, then makes the repository:
    let repository: Repository = try await services.load()
    // The instance exists, so get returns it:
    let database = try services.get((any Database).self)
    #expect(repository.database as? Connection === database as? Connection && database is Connection)
  }

  @Test("A get before the load throws")
  func notLoaded() throws {
    let services = Injector()
    try services.register((any Database).self, .lazySingleton { try await connect() })
    let error = #expect(throws: InjectorError.self) { try services.get((any Database).self) }
    guard case .notLoaded(let facts) = try #require(error) else { throw try #require(error) }
    #expect(facts.service == "Database")
  }

  @Test("A program is sealed and started, and its failures are logged when it closes")
  func starting() async throws {
    let (services, logger) = (Injector(), Logger())
    try services.register(
      (any Database).self,
      .lazySingleton { try await connect() }.onClose { try await $0.disconnect() })
    try services.seal()
    try await services.start(timeout: .seconds(30))
    #expect(try services.get((any Database).self) is Connection)
    for failure in await services.close(timeout: .seconds(10)) {
      logger.error("\(failure)")
    }
    #expect(
      logger.log.lines.map { $0.prefix { $0 != "\n" } } == ["Database could not be closed: a statement is running"])
  }

  @Test("A service of another global actor is loaded")
  func actors() async throws {
    let services = Injector()
    try services.register(
      .lazySingleton { @StorageActor in Storage() })
    let storage: Storage = try await services.load()
    #expect(try services.get(Storage.self) === storage)
  }
}
