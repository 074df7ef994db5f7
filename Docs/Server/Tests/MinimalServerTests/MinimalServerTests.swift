import Foundation
import HTTPTypes
import HummingbirdTesting
import Plug
import PlugTesting
import Testing

@testable import MinimalServer

@Suite("The minimal server")
struct MinimalServerTests {
  private struct Silent: Greeter {
    func greeting(for visitor: Visitor) -> String { "…" }
  }

  private func answer(_ uri: String, language: String? = nil) async throws -> String {
    let headers: HTTPFields = language.map { [.acceptLanguage: $0] } ?? [:]
    return try await makeServer(port: 0).test(.live) { client in
      try await client.execute(uri: uri, method: .get, headers: headers) { String(buffer: $0.body) }
    }
  }

  @Test("The language of a request chooses the greeter")
  func choice() async throws {
    #expect(try await answer("/?name=Ada") == "Hello, Ada")
    #expect(try await answer("/?name=Ada", language: "de-CH") == "Hallo, Ada")
    #expect(try await answer("/") == "Hello, stranger")
  }

  @Test("Each request has a scope of its own")
  func scopes() async throws {
    try await withThrowingTaskGroup(of: String.self) { group in
      let names = (0..<20).map { "visitor\($0)" }
      for name in names { group.addTask { try await answer("/?name=\(name)") } }
      let answers = try await group.reduce(into: Set<String>()) { $0.insert($1) }
      #expect(answers == Set(names.map { "Hello, \($0)" }))
    }
  }

  @Test("A test replaces the greeter for itself", .isolated)
  func override() async throws {
    try app.override((any Greeter).self) { Silent() }
    #expect(try await answer("/") == "…")
  }

  @Test("SIGTERM ends the process after its services are closed", .timeLimit(.minutes(10)))
  func signal() async throws {
    let (output, chunks) = AsyncStream<String>.makeStream()
    let pipe = Pipe()
    pipe.fileHandleForReading.readabilityHandler = { handle in
      let data = handle.availableData
      if data.isEmpty {
        handle.readabilityHandler = nil
        chunks.finish()
      } else {
        chunks.yield(String(decoding: data, as: UTF8.self))
      }
    }
    let process = Process()
    process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "MinimalServer")
    process.environment = ["PORT": "0"]
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    var log = ""
    var isListening = false
    for await chunk in output {
      log += chunk
      if !isListening, log.contains("listening on") {
        isListening = true
        process.terminate()
      }
    }
    process.waitUntilExit()
    #expect(log.split(separator: "\n").last == "closed after 0 visits")
    #expect(process.terminationStatus == 0)
    #expect(process.terminationReason == .exit)
  }
}
