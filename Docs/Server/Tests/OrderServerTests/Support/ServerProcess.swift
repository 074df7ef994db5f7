import Foundation

/// The executable, running in a separate process with its own database.
struct ServerProcess: Sendable {
  let port: Int
  private let folder = TemporaryFolder()
  private let process = Process()
  private let exit: AsyncStream<Int32>

  /// Starts the process, and returns when it listens, which is before the server has started.
  ///
  /// - Parameters:
  ///   - drain: The number of seconds for which the server continues after SIGTERM.
  ///   - files: Additional environment variables that name files, with the contents of the files.
  init(drain: Int = 0, files: [String: String] = [:]) async throws {
    let (exit, ended) = AsyncStream<Int32>.makeStream()
    self.exit = exit
    process.terminationHandler = {
      ended.yield($0.terminationStatus)
      ended.finish()
    }
    process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "Server")
    process.environment = ["PORT": "0", "DATABASE": folder.path("orders.sqlite"), "DRAIN": "\(drain)"]
    for (variable, text) in files {
      try folder.write(text, to: variable)
      process.environment?[variable] = folder.path(variable)
    }
    let log = URL(filePath: folder.path("log"))
    try Data().write(to: log)
    process.standardError = try FileHandle(forWritingTo: log)
    try process.run()
    while true {
      let text = try String(contentsOf: log, encoding: .utf8)
      if let port = text.firstMatch(of: /listening on 127\.0\.0\.1:(\d+)\n/).flatMap({ Int($0.1) }) {
        self.port = port
        return
      }
      // There is no notification for a new line in the file of another process.
      try await Task.sleep(for: .milliseconds(2))
    }
  }

  var database: String { folder.path("orders.sqlite") }

  /// The log of the server.
  var log: String { (try? String(contentsOfFile: folder.path("log"), encoding: .utf8)) ?? "" }

  /// The resident memory of the process, in bytes; 0 where the system has no file that reports it.
  var residentMemory: Int {
    let pages = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/statm", encoding: .utf8)
    return (pages?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
  }

  /// Sends SIGTERM, and returns the status with which the process ends.
  func terminate() async -> Int32? {
    signal()
    return await exit.first { _ in true }
  }

  /// Sends SIGTERM.
  func signal() {
    process.terminate()
  }
}
