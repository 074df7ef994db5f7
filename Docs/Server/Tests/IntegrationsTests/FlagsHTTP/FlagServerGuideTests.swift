import Logging
import Plug
import PlugFlags
import PlugFlagsHTTP
import PlugKeys
import Testing

@Suite(.timeLimit(.minutes(10))) struct FlagServerGuideTests {
  /// The code of the page, with the server of a test instead of its own.
  private struct Page {
    let url: String
    let clock: PollClock
    let logger = Logger(label: "page", factory: { _ in SwiftLogNoOpLogHandler() })
    let token = "secret"

    func FlagPolling(
      every interval: Duration, cache: String, headers: @escaping @Sendable () async throws -> [String: String]
    ) -> PlugFlagsHTTP.FlagPolling {
      PlugFlagsHTTP.FlagPolling(every: interval, jitter: 0, clock: clock, headers: headers)
    }

    func FlagServer(
      _ url: String, polling: PlugFlagsHTTP.FlagPolling,
      onProblem report: @escaping @Sendable (FlagDocumentError) -> Void
    ) -> PlugFlagsHTTP.FlagServer {
      PlugFlagsHTTP.FlagServer(self.url, polling: polling, onProblem: report)
    }

    func FlagServer(ofrep url: String, context: FlagAttributes) -> PlugFlagsHTTP.FlagServer {
      PlugFlagsHTTP.FlagServer(
        ofrep: self.url, context: context, polling: PlugFlagsHTTP.FlagPolling(jitter: 0, clock: clock))
    }

    func follow(in services: Injector) throws {
      let polling = FlagPolling(every: .seconds(60), cache: "flags.cache.json") {
        ["Authorization": "Bearer \(token)"]
      }
      let server = FlagServer("https://config.example/flags.json", polling: polling) { problem in
        logger.error("\(problem)")
      }
      try services.register(.following(server))
    }

    func follow(_ session: Injector) async throws -> FlagFollowing {
      let flags = FlagServer(
        ofrep: "https://flags.example",
        context: ["targetingKey": "p-17", "plan": "free"])
      let following = try await session.follow(flags)
      return following
    }
  }

  @Test func `The code of the page follows a document`() async throws {
    let host = FlagHost { request in
      #expect(request.headers[.authorization] == "Bearer secret")
      return .numbers(1)
    }
    try await host.serving { url in
      let services = Injector("shop")
      try Page(url: url, clock: host.clock).follow(in: services)
      try await services.start()
      #expect(services[Flags.self].number("a") == 1)
      await host.clock.sleeps(for: .seconds(60))
      await services.close()
    }
  }

  @Test func `The code of the page gives a session the flags of its user`() async throws {
    let host = FlagHost { _ in .json(#"{"flags": [{"key": "a", "value": 2}]}"#) }
    try await host.serving { url in
      let services = Injector("shop")
      let session = services.makeScope("session")
      let following = try await Page(url: url, clock: host.clock).follow(session)
      #expect(session[Flags.self].number("a") == 2)
      #expect(services[Flags.self].number("a") == -1)
      following.cancel()
      session.closeNow()
    }
  }
}
