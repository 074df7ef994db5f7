import Plug
import TestSupport
import Testing

private final class Database: Sendable {}
private final class Repository: Sendable {
  init(_ database: Database) {}
}

/// The closing of an injector while one of its instances is being made.
@Suite("close() during a construction")
struct ClosingInProgressTests {
  private let log = Log()

  private func makeInjector() throws -> Injector {
    let injector = Injector("app")
    try injector.register(injectable: .lazySingleton { Database() }.onClose { [log] _ in log.add("database closed") })
    return injector
  }

  @Test("waits for a factory on another thread, and closes its instance before what it needs")
  func thread() async throws {
    let injector = try makeInjector()
    let begun = Latch()
    try injector.register(
      injectable: .lazySingleton { (injector: Injector) in
        let database = try injector.get(Database.self)
        begun.open()
        while !injector.isClosed { yieldThread() }
        return Repository(database)
      }.onClose { [log] _ in log.add("repository closed") })
    let failure = Setting<String>()
    async let request: Void = onBackground {
      do throws(InjectorError) {
        _ = try injector.get(Repository.self)
        failure.set("none")
      } catch {
        failure.set(error.headline)
      }
    }
    await begun.wait()
    await injector.close()
    log.add("close() has returned")
    await request
    #expect(log.lines == ["repository closed", "database closed", "close() has returned"])
    #expect(failure.value == "Repository cannot be resolved or registered: the injector is closed.")
  }

  @Test("returns at once inside a load of the injector, whose instance is closed before what it needs")
  func insideLoad() async throws {
    for _ in 0..<100 {
      let injector = try makeInjector()
      try injector.register(
        Repository.self,
        .lazySingleton { injector async throws in
          let database = try injector.get(Database.self)
          await injector.close()
          return Repository(database)
        }.onClose { [log] _ in log.add("repository closed") })
      await #expect(throws: InjectorError.self) { try await injector.load(Repository.self) }
      await injector.close()
    }
    #expect(log.lines == (0..<100).flatMap { _ in ["repository closed", "database closed"] })
  }

  @Test("closes each instance once if a load ends while closeNow runs a closure")
  func loadEndsMeanwhile() async throws {
    let (injector, begun, isTold) = (Injector("app"), Latch(), Setting<Bool>())
    try injector.register(
      .lazySingleton { Database() }.onClose { [log] _ in
        log.add("database closed")
        while isTold.value == nil { yieldThread() }
      })
    try injector.register(
      Repository.self,
      .lazySingleton { injector async throws in
        begun.open()
        while !injector.isClosed { await Task.yield() }
        return Repository(Database())
      }.onClose { [log] _ in log.add("repository closed") })
    _ = try injector.get(Database.self)
    async let load: Void = {
      _ = try? await injector.load(Repository.self)
      isTold.set(true)
    }()
    await begun.wait()
    await onBackground { injector.closeNow() }
    await load
    await injector.close()
    #expect(log.lines == ["database closed", "repository closed"])
  }

  @Test("waits for a load that goes on, and closes its instance before what it needs", arguments: [false, true])
  func load(isAsynchronous: Bool) async throws {
    let injector = try makeInjector()
    let begun = Latch()
    let injection = Injection<Repository>.lazySingleton { injector async throws in
      let database = try injector.get(Database.self)
      begun.open()
      while !injector.isClosed { await Task.yield() }
      return Repository(database)
    }
    try injector.register(
      injectable: isAsynchronous
        ? injection.onClose { [log] _ async in
          await Task.yield()
          log.add("repository closed")
        } : injection.onClose { [log] _ in log.add("repository closed") })
    async let request: Repository? = try? injector.load(Repository.self)
    await begun.wait()
    await injector.close()
    log.add("close() has returned")
    #expect(await request == nil)
    #expect(log.lines == ["repository closed", "database closed", "close() has returned"])
  }

  /// Runs a closure on a thread outside of the pool of tasks.
  private func onBackground(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      startThread {
        body()
        continuation.resume()
      }
    }
  }
}
