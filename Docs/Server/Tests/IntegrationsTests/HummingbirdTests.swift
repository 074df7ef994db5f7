import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InMemoryLogging
import Logging
import Plug
import PlugHummingbird
import PlugServiceLifecycle
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct HummingbirdTests {
  private struct Visitor: Sendable {
    let name: String
  }

  private struct Broken: Error {}

  private let services = Injector("services")
  private let events = Events()
  private let handler = InMemoryLogHandler()

  init() throws {
    let events = events
    try services.register(Injection<Visitor>.providedByScope)
    try services.register(
      .scoped { (injector: Injector) in "Hello, \(try injector.get(Visitor.self).name)" }
        .onClose { events.note("closed \($0)") })
  }

  /// Sends requests one after the other to a server whose responses are greetings.
  private func answers(to visitors: [String?]) async throws -> [String] {
    let router = Router()
    router.get { _, _ in try Injector.request.get(String.self) }
    let application = Application(
      router: router,
      server: .http1(scopesOf: services) { scope, request in
        guard let name = request.headerFields[.authorization] else {
          throw HTTPError(.unauthorized, message: "Who are you?")
        }
        if name == "nobody" { throw Broken() }
        try scope.register(.singleton(Visitor(name: name)))
      })
    let logger = Logger(label: "test", factory: { [handler] _ in handler })
    return try await withLogger(logger) { _ in
      try await application.test(.live) { client in
        var answers: [String] = []
        for visitor in visitors {
          var headers = HTTPFields()
          headers[.authorization] = visitor
          let answer = try await client.execute(uri: "/", method: .get, headers: headers) { response in
            "\(response.status.code) \(String(buffer: response.body))"
          }
          answers.append(answer)
        }
        return answers
      }
    }
  }

  @Test func `Each request has a scope, which is prepared before and closed after it`() async throws {
    #expect(try await answers(to: ["Ada", "Bo"]) == ["200 Hello, Ada", "200 Hello, Bo"])
    #expect(events.all == ["closed Hello, Ada", "closed Hello, Bo"])
    #expect(throws: HTTPError.self) { try Injector.request }
  }

  @Test func `A scope that cannot be prepared answers with its error, and the connection goes on`() async throws {
    #expect(
      try await answers(to: [nil, "nobody", "Ada"]) == [
        #"401 {"error":{"message":"Who are you?"}}"#, "500 ", "200 Hello, Ada",
      ])
    #expect(
      handler.entries == [
        InMemoryLogHandler.Entry(
          level: .error, message: "The scope of a request could not be prepared.", metadata: ["error": "Broken()"])
      ])
  }

  @Test func `The gate and the health follow the phase`() async throws {
    let current = Mutex(Phase.starting)
    let phase: @Sendable () -> Phase = { current.withLock { $0 } }
    let router = Router()
    router.addHealth(phase: phase)
    router.group().add(middleware: Gate(phase: phase)).get("products") { _, _ in "tea" }
    try await Application(router: router).test(.router) { client in
      var answers: [[String]] = []
      for phase in [Phase.starting, .serving, .draining] {
        current.withLock { $0 = phase }
        var row: [String] = []
        for uri in ["/health", "/products"] {
          row.append(
            try await client.execute(uri: uri, method: .get) { response in
              let retry = response.headers[.retryAfter].map { ", retry after \($0)" } ?? ""
              return "\(response.status.code) \(String(buffer: response.body))\(retry)"
            })
        }
        answers.append(row)
      }
      #expect(
        answers == [
          ["503 starting", #"503 {"error":{"message":"The server is starting."}}, retry after 1"#],
          ["200 serving", "200 tea"],
          ["503 draining", "200 tea"],
        ])
    }
  }
}
