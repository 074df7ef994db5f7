import HTTPTypes
import Hummingbird
import Plug
import PlugFlags
import PlugFlagsHTTP
import PlugKeys
import Testing

@Suite(.timeLimit(.minutes(10))) struct FlagServerFailureTests {
  private let services = Injector("shop")

  /// An answer that is not good, the reason that the report shows for it, and the wait until the next request.
  struct Failure: Sendable, CustomTestStringConvertible {
    let reason: String
    var wait = Duration.seconds(30)
    let answer: FlagHost.Answer
    var testDescription: String { reason }
  }

  private static func later(_ date: String) -> Response {
    .json("", status: .serviceUnavailable, [.retryAfter: date])
  }

  static let failures = [
    Failure(reason: "401 Unauthorized") { _ in Response(status: .unauthorized) },
    Failure(reason: "404 Not Found") { _ in Response(status: .notFound) },
    Failure(reason: "429 Too Many Requests", wait: .seconds(120)) { _ in
      Response(status: .tooManyRequests, headers: [.retryAfter: "120"])
    },
    Failure(reason: "429 Too Many Requests") { _ in
      Response(status: .tooManyRequests, headers: [.retryAfter: "0"])
    },
    Failure(reason: "503 Service Unavailable", wait: .seconds(86_400)) { _ in later("Fri, 01 Jan 2100 00:00:00 GMT") },
    Failure(reason: "503 Service Unavailable", wait: .seconds(86_400)) { _ in later("2100-01-01T00:00:00Z") },
    Failure(reason: "503 Service Unavailable") { _ in later("Sat, 01 Jan 2000 00:00:00 GMT") },
    Failure(reason: "503 Service Unavailable") { _ in later("soon") },
    Failure(reason: "500 Internal Server Error") { _ in Response(status: .internalServerError) },
    Failure(reason: "the content type is text/html; charset=utf-8, not JSON") { _ in
      .json(.numbers(9), [.contentType: "text/html; charset=utf-8"])
    },
    Failure(reason: "the content type is missing, not JSON") { _ in Response(status: .ok) },
    Failure(reason: "\"flags\" is missing") { _ in .json("{}") },
    Failure(reason: "line 1, column 2: expected the name of a member, found the end of the text") { _ in .json("{") },
    Failure(reason: "302 Found: redirects to http://other.example/flags.json are not followed") { _ in
      Response(status: .found, headers: [.location: "http://other.example/flags.json?token=1"])
    },
    Failure(reason: "304 Not Modified, but there is no earlier answer") { _ in Response(status: .notModified) },
    Failure(reason: "stream ended at an unexpected time") { _ in
      Response(
        status: .ok, headers: [.contentType: "application/json"],
        body: ResponseBody(contentLength: 1000) { writer in
          try await writer.write(ByteBuffer(string: .numbers(9)))
          throw HTTPError(.internalServerError)
        })
    },
    Failure(reason: "the body is longer than 1048576 bytes") { _ in
      Response(
        status: .ok, headers: [.contentType: "application/json"],
        body: ResponseBody(contentLength: 100 << 20) { writer in
          for _ in 0..<1600 { try await writer.write(ByteBuffer(repeating: 0x20, count: 1 << 16)) }
          try await writer.finish(nil)
        })
    },
  ]

  @Test(arguments: failures)
  func `An answer that is not good makes the source stale, and keeps the document`(_ failure: Failure) async throws {
    let host = FlagHost { _ in .numbers(1) }
    try await host.serving { [services] url in
      let problems = Events()
      let server = FlagServer(url, polling: host.polling()) { problems.note("\($0)") }
      try services.register(.following(server))
      try await services.start()
      host.answer(failure.answer)
      await host.clock.wake(.seconds(30))
      await host.clock.sleeps(for: failure.wait)
      #expect(services.flagState == failure.reason)
      #expect(services[Flags.self].number("a") == 1)
      // The second failure for the same reason is not reported, and doubles the wait.
      await host.clock.wake(failure.wait)
      await host.clock.sleeps(for: max(failure.wait, .seconds(60)))
      #expect(problems.all.count == 1)
      host.answer { _ in .numbers(1) }
      await host.clock.wake(max(failure.wait, .seconds(60)))
      await host.clock.sleeps(for: .seconds(30))
      #expect(services.flagState == "current")
      await services.close()
    }
  }

  @Test func `A server that says nothing is given up after the timeout`() async throws {
    let (host, gate) = (FlagHost { _ in .numbers(1) }, Latch())
    try await host.serving { [services] url in
      try services.register(.following(FlagServer(url, polling: host.polling())))
      try await services.start()
      host.answer { _ in
        await gate.pass()
        return .numbers(2)
      }
      await expectTimeout(of: host)
      gate.open()
      await services.close()
    }
  }

  /// Polls a server, waits for the timeout, and expects that it is reported.
  private func expectTimeout(of host: FlagHost) async {
    await host.clock.wake(.seconds(30))
    await host.clock.wake(.seconds(10))
    await host.clock.sleeps(for: .seconds(30))
    #expect(services.flagState == "no whole answer within 10.0 seconds")
  }

  @Test func `A body that does not end is given up after the timeout`() async throws {
    let (host, gate) = (FlagHost { _ in .numbers(1) }, Latch())
    try await host.serving { [services] url in
      try services.register(.following(FlagServer(url, polling: host.polling())))
      try await services.start()
      host.answer { _ in
        Response(
          status: .ok, headers: [.contentType: "application/json"],
          body: ResponseBody { writer in
            try await writer.write(ByteBuffer(string: .numbers(2)))
            await gate.pass()
            try await writer.finish(nil)
          })
      }
      await expectTimeout(of: host)
      gate.open()
      await services.close()
    }
  }

  @Test func `The wait doubles with each failure in a row, up to the longest`() async throws {
    let host = FlagHost { _ in .numbers(1) }
    try await host.serving { [services] url in
      try services.register(.following(FlagServer(url, polling: host.polling())))
      try await services.start()
      host.answer { _ in Response(status: .badGateway) }
      for (wait, next) in [(30, 30), (30, 60), (60, 120), (120, 200), (200, 200)] {
        await host.clock.wake(.seconds(wait))
        await host.clock.sleeps(for: .seconds(next))
      }
      await services.close()
    }
  }

  @Test func `A server that is gone makes the source stale`() async throws {
    let host = FlagHost { _ in .numbers(1) }
    try await host.serving { [services] url in
      try services.register(.following(FlagServer(url, polling: host.polling())))
      try await services.start()
      await host.clock.sleeps(for: .seconds(30))
    }
    await host.clock.wake(.seconds(30))
    await host.clock.sleeps(for: .seconds(30))
    #expect(services[Flags.self].number("a") == 1)
    #expect(services.flagState.contains("Connection refused"))
    await services.close()
  }

  @Test func `A URL that is none is an error`() async throws {
    for (url, reason) in [
      ("flags.json", "Empty scheme"), ("ftp://example", "Unsupported scheme"), ("http://", "Empty host"),
    ] {
      let error = await #expect(throws: FlagDocumentError.self) {
        try await services.follow(FlagServer(url))
      }
      #expect(error == .unreadable(path: url, reason: reason))
    }
  }
}
