import Foundation
import Plug
import ServiceLifecycle

/// Stands for a server: it takes requests from the moment it runs until it is asked to stop.
struct WebServer: Service {
  let injector: Injector

  func run() async throws {
    print("takes requests")
    try await answer()
    // Stands for the signal that ends a server.
    kill(getpid(), SIGTERM)
    try await gracefulShutdown()
    try await answer()
    print("takes no more requests")
  }

  /// Answers a request. Nothing is awaited to get the database: it has been made before the first request.
  private func answer() async throws {
    let database = try injector.get(Database.self)
    print("read \(try await database.rows().count) rows")
  }
}
