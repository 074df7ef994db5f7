import Configuration
import Foundation
import GRDB
import Hummingbird
import InMemoryLogging
import Logging
import OrderServer
import Plug
import PlugFeatures
import PlugKeys
import PlugServiceLifecycle
import ServiceLifecycle
import Shop
import Testing
import Web

/// A server with its own database, whose orders have the identifiers 1, 2, 3 and so on.
final class TestShop: Sendable {
  let services = Injector("orders")
  let units = Census()
  let logs: InMemoryLogHandler
  private let folder = TemporaryFolder()

  private var logger: Logger { Logger(label: "orders", factory: { [logs] _ in logs }) }

  /// - Parameters:
  ///   - flags: The file with the flags, if there is one.
  ///   - settings: The configuration whose settings decide, if there is one.
  ///   - prepare: Registers the services that a test adds.
  init(
    flags: String? = nil, settings: ConfigReader? = nil, prepare: (Injector) throws -> Void = { _ in }
  ) throws {
    var logs = InMemoryLogHandler()
    logs.logLevel = .notice
    self.logs = logs
    services.uuids = .sequential()
    try services.registerShop(databaseAt: folder.path("orders.sqlite"))
    let units = units
    try services.decorate(UnitOfWork.self) { unit, _ in units.counting(unit) }
    if let flags {
      let configuration = ConfigReader(provider: InMemoryProvider(values: ["flags.file": .init(stringLiteral: flags)]))
      try services.registerFlags(configuredBy: configuration, every: .milliseconds(1), logger: logger)
    }
    if let settings { try services.registerSettings(of: settings) }
    try prepare(services)
    try services.seal()
  }

  /// Runs the server while a test sends requests, and returns when everything is closed.
  ///
  /// - Parameters:
  ///   - companions: Services that run as long as the server.
  ///   - addRoutes: Adds routes for the test.
  ///   - test: Runs when the server listens, which may be before it has started.
  func listening<Value: Sendable>(
    with companions: [any Service] = [], addRoutes: (Router<ShopContext>) -> Void = { _ in },
    _ test: @Sendable @escaping (Client) async throws -> Value
  ) async throws -> Value {
    var configuration = OrderServer.Configuration()
    configuration.port = 0
    configuration.token = "secret"
    let server = OrderServer(services: services, configuration: configuration, companions: companions, logger: logger)
    let router = server.makeRouter()
    addRoutes(router)
    let (ports, continuation) = AsyncStream<Int?>.makeStream()
    let service = server.makeService(router) { continuation.yield($0) }
    let group = ServiceGroup(services: [service], logger: logger)
    return try await withThrowingTaskGroup { tasks in
      tasks.addTask {
        try await group.run()
        continuation.finish()
      }
      let port = try #require(await ports.first { _ in true } ?? nil)
      let value = try await Client.connected(to: port, test)
      await group.triggerGracefulShutdown()
      try await tasks.waitForAll()
      return value
    }
  }

  /// Runs a test once the server has started, and returns when everything is closed.
  func serving<Value: Sendable>(
    with companions: [any Service] = [], addRoutes: (Router<ShopContext>) -> Void = { _ in },
    _ test: @Sendable @escaping (Client) async throws -> Value
  ) async throws -> Value {
    try await listening(with: companions, addRoutes: addRoutes) { [services] client in
      await services.reaches(.serving)
      return try await test(client)
    }
  }

  /// The orders in the file of the database.
  func storedOrders() throws -> [Order] {
    try Order.all(at: folder.path("orders.sqlite"))
  }
}

extension Order {
  static func all(at path: String) throws -> [Order] {
    try DatabaseQueue(path: path).read { try Order.order(Column("id")).fetchAll($0) }
  }
}

extension Injector {
  func reaches(_ phase: Phase) async {
    for await current in values(of: Phase.self) where current == phase { return }
  }
}

/// A folder that is removed when the object is released.
final class TemporaryFolder: Sendable {
  private let url = FileManager.default.temporaryDirectory.appending(path: "orders-\(UUID())")

  init() {
    try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// Writes another file, and renames it.
  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: url.appending(path: name), options: .atomic)
  }

  func path(_ name: String) -> String { url.appending(path: name).path }
}
