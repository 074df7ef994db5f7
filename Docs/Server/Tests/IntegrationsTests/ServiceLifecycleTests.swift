import Logging
import Plug
import PlugKeys
import PlugServiceLifecycle
import ServiceLifecycle
import Testing

@Suite(.timeLimit(.minutes(10))) struct ServiceLifecycleTests {
  @Test func `A server starts, drains, and stops before its injector closes`() async throws {
    let (services, events, logger) = (Injector(), Events(), Logger(label: "test"))
    try services.register(.lazySingleton { 1 }.eager().onClose { _ in events.note("closed") })
    let drain = DrainService(injector: services, delay: .zero)
    let server = Server(services: services, events: events)
    let group = ServiceGroup(
      services: [
        InjectorService(injector: services, service: ServiceGroup(services: [server, drain], logger: logger))
      ], logger: logger)
    #expect(services[Phase.self] == .starting)
    async let running: Void = group.run()
    for await phase in services.values(of: Phase.self) where phase == .serving { break }
    await group.triggerGracefulShutdown()
    try await running
    #expect(events.all == ["stopped while draining", "closed"])
    #expect(services.isClosed)
  }
}

/// A service that runs until a graceful shutdown.
private struct Server: Service {
  let services: Injector
  let events: Events

  func run() async throws {
    try await gracefulShutdown()
    events.note("stopped while \(services[Phase.self])")
  }
}
