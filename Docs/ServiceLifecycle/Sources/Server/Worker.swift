import Plug
import ServiceLifecycle

/// A service of the group that needs the database.
struct Worker: Service {
  let injector: Injector

  func run() async throws {
    // The group runs its services at the same time: whoever comes first waits here until it is connected.
    let database = try await injector.load(Database.self)
    print("read \(await database.rows().count) rows")
    try await gracefulShutdown()
    print("worker stopped, connected: \(await database.isConnected)")
  }
}

/// Ends the example at once, as a signal ends a server.
struct Interruption: Service {
  func run() async throws {}
}
