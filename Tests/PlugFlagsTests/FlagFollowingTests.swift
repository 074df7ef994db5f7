import Plug
import PlugFlags
import PlugKeys
import Testing

@Suite("Following documents", .timeLimit(.minutes(10)))
struct FlagFollowingTests {
  private struct Failure: Error, Equatable {}

  private let services = Injector("services")
  private let failures = Log<any Error>()

  @Test("waits for the first one, and puts each into force")
  func following() async throws {
    let (documents, source) = AsyncStream<FlagDocument>.makeStream()
    source.yield(try numbered(1))
    let following = try await services.follow(documents) { [failures] in failures.add($0) }
    #expect(services[Flags.self] == (try numbered(1)))
    source.yield(try numbered(2))
    try await until { [services] in services[Flags.self].keys == ["number"] && services.number == 2 }
    following.cancel()
    source.yield(try numbered(3))
    #expect(services.number == 2)
    #expect(failures.elements.isEmpty)
  }

  @Test("ends when it is released")
  func releasing() async throws {
    let (documents, source) = AsyncStream<FlagDocument>.makeStream()
    let ended = Log<Void>()
    source.onTermination = { _ in ended.add(()) }
    source.yield(try numbered(1))
    var following: FlagFollowing? = try await services.follow(documents)
    #expect(following != nil)
    following = nil
    try await until { ended.count == 1 }
  }

  @Test("does not keep the injector")
  func injectors() async throws {
    let (documents, source) = AsyncStream<FlagDocument>.makeStream()
    source.yield(try numbered(1))
    var injector: Injector? = Injector()
    weak let released = injector
    let following = try await injector?.follow(documents)
    injector = nil
    try await until { released == nil }
    source.yield(try numbered(2))
    following?.cancel()
  }

  @Test("throws if there is no first one")
  func nothing() async throws {
    let (none, source) = AsyncStream<FlagDocument>.makeStream()
    source.finish()
    let error = await #expect(throws: NoFlagDocument.self) { try await services.follow(none) }
    #expect(
      error?.description == """
        The sequence of flag documents has ended without one
        To fix this: let it yield a document first, such as the one that the program is delivered with
        """)
    let (failing, failure) = AsyncThrowingStream<FlagDocument, any Error>.makeStream()
    failure.finish(throwing: Failure())
    await #expect(throws: Failure()) {
      try await services.follow(failing) { [failures] in failures.add($0) }
    }
    #expect(failures.elements.isEmpty)
    let (waiting, waitingSource) = AsyncStream<FlagDocument>.makeStream()
    let task = Task { [services] in try await services.follow(waiting) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    waitingSource.finish()
  }

  @Test("reports a later failure, and leaves the last one current")
  func failing() async throws {
    let (documents, source) = AsyncThrowingStream<FlagDocument, any Error>.makeStream()
    source.yield(try numbered(1))
    let following = try await services.follow(documents) { [failures] in failures.add($0) }
    source.finish(throwing: Failure())
    try await until { [failures] in !failures.elements.isEmpty }
    #expect(failures.elements.map { $0 as? Failure } == [Failure()])
    #expect(services.number == 1)
    following.cancel()
  }

  @Test("belongs to start and close where it is registered")
  func registered() async throws {
    let (documents, source) = AsyncStream<FlagDocument>.makeStream()
    let ended = Log<Void>()
    source.onTermination = { _ in ended.add(()) }
    try services.register(injectable: .following(documents))
    try services.seal()
    let start = Task { [services] in try await services.start() }
    source.yield(try numbered(1))
    try await start.value
    #expect(services.number == 1)
    await services.close()
    try await until { ended.count == 1 }
  }

  @Test("takes documents from a file, whose broken versions leave the last one current")
  func file() async throws {
    let (folder, problems) = (try Folder(), Log<FlagDocumentError>())
    try folder.write(numbered(1).json(), to: "flags.json")
    let file = FlagFile(folder.path("flags.json"), clock: ImpatientClock()) { problems.add($0) }
    let following = try await services.follow(file)
    #expect(services.number == 1)
    try folder.replace("flags.json", by: "broken")
    try await until { problems.count == 1 }
    #expect(services.number == 1)
    try folder.replace("flags.json", by: numbered(2).json())
    try await until { [services] in services.number == 2 }
    following.cancel()
  }
}

extension Injector {
  /// The number that the current document has.
  fileprivate var number: Int { flag(FlagKey("number", default: -1), in: Buyer()) }
}
