import Foundation
import Plug
import PlugFlags
import PlugKeys
import PlugOperations
import Testing

@Suite("A sequence of flag documents that reports", .timeLimit(.minutes(10)))
struct FlagDocumentSequenceTests {
  private let services = Injector("services")

  /// The report's lines about sources, without the time.
  private func reported() -> [String] {
    services.report().sections.flatMap(\.lines).map { $0.replacing(/since [-0-9T:]+Z/, with: "since …") }
  }

  @Test("names its source, and makes it stale and current")
  func client() async throws {
    let client = Client()
    let document = try FlagDocument(#"{"flags": {"on": {"state": "ENABLED", "variants": {"on": true}}}}"#)
    client.source.yield(document)
    let following = try await services.follow(client)
    #expect(reported() == ["client: current"])
    let report = try #require(client.reports.last)
    report(.unreadable(path: "client", reason: "500 Internal Server Error"))
    #expect(reported() == ["client: stale since …: 500 Internal Server Error"])
    #expect(services[Flags.self].source(of: "on") == "client")
    report(nil)
    #expect(reported() == ["client: current"])
    client.source.finish(throwing: FlagDocumentError.unreadable(path: "client", reason: "403 Forbidden"))
    try await until { reported() == ["client: stale since …: 403 Forbidden"] }
    following.cancel()
  }

  @Test("throws a report that comes before its first document")
  func failing() async throws {
    let (client, problem) = (Client(), FlagDocumentError.unreadable(path: "client", reason: "404 Not Found"))
    let following = Task { [services] in try await services.follow(client) }
    try await until { client.reports.count == 1 }
    client.reports.last?(problem)
    await #expect(throws: problem) { try await following.value }
    #expect(services.flagSources == [])
  }
}

/// A client of a service whose documents and reports a test sends.
private final class Client: FlagDocumentSequence {
  typealias Documents = AsyncThrowingStream<FlagDocument, any Error>

  let name = "client"
  let source: Documents.Continuation
  let reports = Log<@Sendable (FlagDocumentError?) -> Void>()
  private let documents: Documents

  init() { (documents, source) = Documents.makeStream() }

  func reporting(_ report: @escaping @Sendable (FlagDocumentError?) -> Void) -> Self {
    reports.add(report)
    return self
  }

  func makeAsyncIterator() -> Documents.Iterator { documents.makeAsyncIterator() }
}
