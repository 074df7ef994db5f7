import Hummingbird
import Logging
import OrderServer
import Plug
import PlugServiceLifecycle
import ServiceLifecycle
import Testing
import Web

@Suite(.timeLimit(.minutes(5))) struct PhaseTests {
  /// A service that takes long to make.
  private struct Slow: Sendable {}

  @Test func `Requests are let in when everything has started`() async throws {
    let (signal, continuation) = AsyncStream<Void>.makeStream()
    let shop = try TestShop { services in
      try services.register(
        .lazySingleton {
          for await _ in signal {}
          return Slow()
        })
    }
    try await shop.listening { client async throws in
      let starting = Answer(503, #"{"error":{"message":"The server is starting."}}"#)
      #expect(try await client.get("/health") == Answer(503, "starting"))
      #expect(try await client.get("/products") == starting)
      #expect(try await client.post("/orders", #"{"product":1,"quantity":1}"#) == starting)

      continuation.finish()
      await shop.services.reaches(.serving)
      #expect(try await client.get("/health") == Answer(200, "serving"))
      #expect(try await client.get("/products").status == 200)
    }
  }

  @Test func `A draining server still takes requests, and says that it should get no more`() async throws {
    let shop = try TestShop()
    try await shop.serving { client async throws in
      shop.services[Phase.self] = .draining
      #expect(try await client.get("/health") == Answer(503, "draining"))
      #expect(try await client.post("/orders", #"{"product":1,"quantity":1}"#).status == 201)
    }
    #expect(try shop.storedOrders().count == 1)
  }

  @Test func `A shutdown begins with draining`() async throws {
    let services = Injector()
    services[Phase.self] = .serving
    let group = ServiceGroup(
      services: [DrainService(injector: services, delay: .zero)], logger: Logger(label: "test"))
    async let running: Void = group.run()
    await group.triggerGracefulShutdown()
    try await running
    #expect(services[Phase.self] == .draining)
  }

  @Test func `A signal during the start ends the start, and closes the instances made so far`() async throws {
    let events = Events()
    let services = Injector()
    try services.register(
      .lazySingleton { 1 }.eager().onClose { _ in events.note("closed") })
    try services.register(
      .lazySingleton { injector -> Slow in
        let _: Int = try await injector.load()
        events.note("waits")
        try await Task.sleep(for: .seconds(60))
        return Slow()
      })
    let service = InjectorService(injector: services, service: Idle(events: events))
    let group = ServiceGroup(services: [service], logger: Logger(label: "test"))
    async let running: Void = group.run()
    _ = await events.until("waits")
    await group.triggerGracefulShutdown()
    try await running
    #expect(await Set(events.until("closed")) == ["waits", "stopped", "closed"])
    #expect(services.isClosed)
  }

  @Test func `A server that cannot start ends with the error`() async throws {
    struct Unreachable: Error {}
    let events = Events()
    let services = Injector()
    try services.register(.lazySingleton { () async throws -> Slow in throw Unreachable() })
    let service = InjectorService(injector: services, service: Idle(events: events))
    let group = ServiceGroup(services: [service], logger: Logger(label: "test"))
    await #expect {
      try await group.run()
    } throws: { error in
      guard case InjectorError.constructionFailed(_, let underlying) = error else { return false }
      return underlying is Unreachable
    }
    #expect(services.isClosed)
  }

  @Test func `The injector is closed after the services, though they fail`() async throws {
    struct Broken: Error {}
    let events = Events()
    let services = Injector()
    try services.register(
      .lazySingleton { 1 }.eager().onClose { _ in events.note("closed") })
    let logger = Logger(label: "test")
    let group = ServiceGroup(services: [Idle(events: events), Failing(error: Broken())], logger: logger)
    let service = InjectorService(injector: services, service: group)
    await #expect(throws: Broken.self) { try await service.run() }
    #expect(await events.until("closed") == ["stopped", "closed"])
  }
}

/// A service that runs until a graceful shutdown.
private struct Idle: Service {
  let events: Events

  func run() async throws {
    try? await gracefulShutdown()
    events.note("stopped")
  }
}

private struct Failing: Service {
  let error: any Error & Sendable

  func run() async throws { throw error }
}
