import Foundation
import Testing

/// The executable, running in a process of its own.
struct ServerProcess: Sendable {
  let port: Int
  private let process: Process
  private let exit: AsyncStream<Int32>

  /// Returns when the server listens, which is before it has started.
  ///
  /// - Parameter drain: How many seconds the server goes on after SIGTERM.
  static func start(database: String, drain: Int = 0) async throws -> ServerProcess {
    let process = Process()
    process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "Server")
    process.environment = ["PORT": "0", "DATABASE": database, "DRAIN": "\(drain)"]
    let (exit, ended) = AsyncStream<Int32>.makeStream()
    process.terminationHandler = {
      ended.yield($0.terminationStatus)
      ended.finish()
    }
    // The log is read to the end: a full pipe would stop the server.
    let log = Pipe()
    let (ports, found) = AsyncStream<Int>.makeStream()
    log.fileHandleForReading.readabilityHandler = { handle in
      let text = String(decoding: handle.availableData, as: UTF8.self)
      if text.isEmpty { handle.readabilityHandler = nil }
      if let port = text.firstMatch(of: /listening on 127\.0\.0\.1:(\d+)/).flatMap({ Int($0.1) }) { found.yield(port) }
    }
    process.standardError = log
    try process.run()
    let port = try #require(await ports.first { _ in true })
    return ServerProcess(port: port, process: process, exit: exit)
  }

  /// Sends SIGTERM.
  func terminate() {
    process.terminate()
  }

  /// The status with which the process ends.
  func status() async -> Int32? {
    await exit.first { _ in true }
  }
}
