import PlugOperations
import TestSupport
import Testing

@testable import Plug

@MainActor private final class Window {}

@globalActor private actor StorageActor {
  static let shared = StorageActor()
}

@StorageActor private final class Storage {
  var isOpen = true
  func end() { isOpen = false }
}

extension Injector {
  fileprivate func register(
    _ tag: Tag, _ log: Log, _ close: @escaping @Sendable (Instance) async throws -> Void = { _ in await Task.yield() }
  ) throws {
    try register(
      as: Instance.self, tag: tag,
      injectable: .lazySingleton { Instance(tag.rawValue) }.onClose { instance in
        try await close(instance)
        log.add("close \(instance.name)")
      })
  }
}

/// Requests a service twice when it ends, as a deinit that logs does.
private final class Session: Sendable {
  let ask: @Sendable () -> Void

  init(_ ask: @escaping @Sendable () -> Void) {
    self.ask = ask
  }

  deinit {
    ask()
    ask()
  }
}

@Suite("Closing", .timeLimit(.minutes(10)))
struct ClosingTests {
  let injector = Injector("closing")
  let log = Log()

  @Test("synchronous and asynchronous closings run in reverse order, one after another")
  func order() async throws {
    try injector.register("first", log)
    try injector.register(
      as: Instance.self, tag: "second",
      injectable: .lazySingleton { Instance("second") }.onClose { [log] in log.add("close \($0.name)") })
    try injector.register("third", log)
    for tag in ["second", "first", "third"] as [Injector.Tag] { _ = try injector.get(Instance.self, tag: tag) }
    #expect(await injector.close().isEmpty)
    #expect(log.lines == ["close third", "close first", "close second"])
    #expect(await injector.close().isEmpty)
    #expect(log.lines.count == 3)
  }

  @Test("failures are collected, and the other instances are closed all the same")
  func errors() async throws {
    try injector.register("first", log)
    try injector.register(
      as: Instance.self, tag: "second",
      injectable: .lazySingleton { Instance("second") }.onClose { _ in throw Failure() }, fileID: "Shop/Main.swift",
      line: 3)
    try injector.register("third", log) { _ in throw CancellationError() }
    for tag in ["first", "second", "third"] as [Injector.Tag] { _ = try injector.get(Instance.self, tag: tag) }
    let failures = await injector.close()
    #expect(log.lines == ["close first"])
    #expect(failures.map(\.facts.tag) == ["third", "second"])
    #expect(
      "\(failures[1])" == """
        Instance (tag "second") could not be closed: the disk is full
          service:        Instance (tag "second")
          injector:       closing
          chain:          Instance (tag "second")
          registered at:  Shop/Main.swift:3
        To fix this:
          - Check its onClose, which threw Failure. The instance has been released.
        """)
  }

  @Test("a closing that takes too long is cancelled, and the next one follows")
  func timeout() async throws {
    let clock = TestClock()
    try injector.register("first", log)
    try injector.register(
      as: Instance.self, tag: "second",
      injectable: .lazySingleton { Instance() }.onClose { [log] _ in
        try? await clock.sleep(for: .seconds(60))
        log.add(Task.isCancelled ? "cancelled" : "slept")
      }.timeout(closing: .seconds(2)), fileID: "Shop/Main.swift", line: 3)
    for tag in ["first", "second"] as [Injector.Tag] { _ = try injector.get(Instance.self, tag: tag) }
    async let closing = injector.close(timeout: .seconds(5), clock: clock)
    await clock.sleepers(2)
    clock.advance()
    let failures = await closing
    #expect(
      failures.map(\.description) == [
        """
        Instance (tag "second") took longer than 2.0 seconds and was cancelled.
          service:        Instance (tag "second")
          injector:       closing
          chain:          Instance (tag "second")
          registered at:  Shop/Main.swift:3
        To fix this:
          - Check what it waits for.
          - Or give it more time: timeout(loading:closing:) on its injection, or the timeout: of start or close.
        """
      ])
    while log.lines.count < 2 { await Task.yield() }
    #expect(log.lines.sorted() == ["cancelled", "close first"])
  }

  @Test("a cancelled task closes every instance")
  func cancelled() async throws {
    try injector.register("first", log) { _ in try Task.checkCancellation() }
    _ = try injector.get(Instance.self, tag: "first")
    let latch = Latch()
    let task = Task {
      await latch.wait()
      return await injector.close()
    }
    task.cancel()
    latch.open()
    #expect(await task.value.isEmpty)
    #expect(log.lines == ["close first"])
  }

  @Test("closes at the same time wait for one closing, and a close within it does not wait for itself")
  func together() async throws {
    let latch = Latch()
    try injector.register("first", log) { [injector] _ in
      await latch.wait()
      await injector.close()
    }
    _ = try injector.get(Instance.self, tag: "first")
    async let one = injector.close()
    await latch.arrivals(1)
    async let other = injector.close()
    latch.open()
    #expect(await one.isEmpty)
    #expect(await other.isEmpty)
    #expect(log.lines == ["close first"])
  }

  @Test("a synchronous close continues in a task, in the same order, and an awaited close waits for it")
  func synchronous() async throws {
    let latch = Latch()
    try injector.register(
      as: Instance.self, tag: "sync",
      injectable: .lazySingleton { Instance("sync") }.onClose { [log] in log.add("close \($0.name)") })
    try injector.register("first", log) { _ in await latch.wait() }
    try injector.register(
      as: Instance.self, tag: "last",
      injectable: .lazySingleton { Instance("last") }.onClose { [log] in log.add("close \($0.name)") })
    for tag in ["sync", "first", "last"] as [Injector.Tag] { _ = try injector.get(Instance.self, tag: tag) }
    { injector.closeNow() }()
    #expect(log.lines == ["close last"])
    latch.open()
    await injector.close()
    #expect(log.lines == ["close last", "close first", "close sync"])
  }

  @Test("an injector that is released closes asynchronously too")
  func released() async throws {
    let closed = Latch()
    do {
      let released = Injector()
      try released.register("first", log) { _ in closed.open() }
      _ = try released.get(Instance.self, tag: "first")
    }
    await closed.wait()
    while log.lines.isEmpty { await Task.yield() }
    #expect(log.lines == ["close first"])
  }

  @Test("an instance of an actor is closed there")
  func actors() async throws {
    try injector.register(
      injectable: .lazySingleton { @MainActor in Window() }.onClose { @MainActor [log] _ in
        MainActor.assertIsolated()
        log.add("window")
      })
    try injector.register(
      injectable: .lazySingleton { @StorageActor in Storage() }.onClose { @StorageActor [log] storage in
        StorageActor.assertIsolated()
        storage.end()
        log.add("storage")
      })
    _ = try await injector.load(Storage.self)
    _ = try await injector.load(Window.self)
    await injector.close()
    #expect(log.lines == ["window", "storage"])
  }

  @Test("a synchronous close on the main actor closes instances there at once")
  @MainActor
  func onMainActor() throws {
    try injector.register(
      injectable: .lazySingleton { @MainActor in Window() }.onClose { @MainActor [log] _ in log.add("window") })
    _ = try injector.get(Window.self)
    injector.closeNow()
    #expect(log.lines == ["window"])
  }

  @Test("closing cancels loads")
  func loading() async throws {
    let clock = TestClock()
    try injector.register(
      injectable: .lazySingleton {
        try await clock.sleep(for: .seconds(60))
        return Instance()
      })
    let load = Task { try await injector.load(Instance.self) }
    await clock.sleepers(1)
    await injector.close()
    await #expect(throws: InjectorError.self) { try await load.value }
    #expect(clock.sleeperCount == 0)
  }

  @Test("a load that does not end in time is cancelled", arguments: [true, false])
  func loadTimeout(isOwn: Bool) async throws {
    let clock = TestClock()
    let injection = Injection.lazySingleton {
      try await clock.sleep(for: .seconds(60))
      return Instance()
    }
    try injector.register(
      injectable: isOwn ? injection.timeout(loading: .seconds(3)) : injection, fileID: "Shop/Main.swift", line: 3)
    let start = Task { try await injector.start(timeout: isOwn ? nil : .seconds(3), clock: clock) }
    await clock.sleepers(2)
    clock.advance()
    let error = await #expect(throws: InjectorError.self) { try await start.value }
    #expect(
      "\(try #require(error))" == """
        Instance took longer than 3.0 seconds and was cancelled.
          service:        Instance
          injector:       closing
          chain:          Instance
          registered at:  Shop/Main.swift:3
        To fix this:
          - Check what it waits for.
          - Or give it more time: timeout(loading:closing:) on its injection, or the timeout: of start or close.
        """)
  }

  @Test("the tracer receives the failures and the closings")
  func traced() async throws {
    let injector = Injector()
    injector.tracer = { [log] in log.add("\($0)") }
    try injector.register("first", log) { _ in throw Failure() }
    _ = try injector.get(Instance.self, tag: "first")
    await injector.close()
    #expect(
      log.lines.dropFirst(2) == [
        "failed Instance (tag \"first\"): Instance (tag \"first\") could not be closed: the disk is full",
        "closed Instance (tag \"first\")",
      ])
  }

  @Test("refuses every request before any release: no instance is made, and no closed instance is returned")
  func refusedBeforeReleased() throws {
    try injector.register(
      as: Instance.self,
      injectable: .lazySingleton { [log] in
        log.add("make")
        return Instance()
      }.onClose { [log] _ in log.add("close") })
    try injector.register(Session.self, taking: Int.self, lifetime: .lazySingleton) { [log] _, injector in
      Session { [unowned injector] in
        do throws(InjectorError) {
          log.add("got \(try injector.get(Instance.self).name)")
        } catch {
          log.add("refused \(error.facts.service)")
        }
      }
    }
    _ = try injector.get(Session.self, with: 1)
    injector.closeNow()
    #expect(log.lines == ["refused Instance", "refused Instance"])
  }
}
