import HTTPTypes
import Hummingbird
import Plug
import PlugFlags
import PlugFlagsHTTP
import PlugKeys
import Testing

@Suite(.timeLimit(.minutes(10))) struct RemoteEvaluationTests {
  private let services = Injector("session")
  private let shopper = Shopper(id: "p-17")

  private func server(_ host: FlagHost, _ url: String) -> FlagServer {
    FlagServer(
      ofrep: url, context: ["targetingKey": "p-17", "plan": "free"],
      polling: host.polling { ["X-API-Key": "secret"] })
  }

  private static let flags = #"""
    {"flags": [
      {"key": "banner", "value": true, "reason": "TARGETING_MATCH", "variant": "on", "metadata": {"team": "shop"}},
      {"key": "theme", "value": "blue", "reason": "STATIC"},
      {"key": "limit", "value": 3, "reason": "SPLIT", "variant": "three"},
      {"key": "layout", "value": {"columns": 2}, "reason": "STATIC", "variant": "wide"},
      {"key": "later", "reason": "STATIC"},
      {"key": "off", "reason": "DISABLED"},
      {"key": "unknown", "errorCode": "FLAG_NOT_FOUND"},
      {"key": "broken", "errorCode": "TARGETING_KEY_MISSING", "errorDetails": "no key"},
      {"key": 5, "value": true}, "nonsense"
    ], "metadata": {"version": "v12"}}
    """#

  @Test func `The server evaluates all flags for one context`() async throws {
    let host = FlagHost { _ in .json("{}") }
    try await host.serving { [services, shopper] url in
      host.answer { request in
        let body = String(buffer: try await request.body.collect(upTo: 1 << 16))
        let (type, key) = (request.headers[.contentType] ?? "-", request.headers[.apiKey] ?? "-")
        let document = try FlagDocument(#"{"flags":{},"request":\#(body)}"#)
        host.requests.note(
          """
          \(request.method) \(request.uri) \(type) \(key) \(document.json(isIndented: false)) \
          \(request.headers[.ifNoneMatch] ?? "-")
          """)
        return .json(Self.flags, tag: "v12")
      }
      try services.register(.following(server(host, url + "/api/")))
      try await services.start()
      func read(_ key: String) -> String { "\(services[Flags.self].evaluate(key, in: shopper))" }
      #expect(services[Flags.self].problems == [])
      #expect(services.flag(FlagKey("banner", default: false), in: shopper))
      #expect(read("banner") == #"on = Optional(true) (TARGETING_MATCH)"#)
      #expect(services[Flags.self].evaluate("banner", in: shopper).metadata == ["team": "shop", "version": "v12"])
      #expect(read("theme") == #"blue = Optional("blue") (STATIC)"#)
      #expect(read("limit") == #"three = Optional(3) (SPLIT)"#)
      #expect(read("layout") == #"wide = Optional({"columns":2}) (STATIC)"#)
      #expect(read("later") == "nil (DEFAULT)")
      #expect(read("off") == "nil (DISABLED)")
      #expect(read("unknown") == #"nil (ERROR, FLAG_NOT_FOUND: the document has no flag "unknown")"#)
      #expect(
        read("broken") == """
          nil (ERROR, GENERAL: the targeting gave "TARGETING_KEY_MISSING: no key", \
          which is not the name of a variant)
          """)
      await host.clock.wake(.seconds(30))
      await host.clock.sleeps(for: .seconds(30))
      let request = """
        POST /api/ofrep/v1/evaluate/flags application/json secret \
        {"flags":{},"request":{"context":{"plan":"free","targetingKey":"p-17"}}}
        """
      #expect(host.requests.all == [request + " -", request + " v12"])
      await services.close()
      await host.clock.isIdle()
    }
  }

  @Test func `A rule reads what the server has evaluated`() async throws {
    let host = FlagHost { _ in .json(Self.flags) }
    try await host.serving { [services, shopper] url in
      try services.register(
        PluginPoint<any Search, Shopper>("search") {
          Candidate("semantic") { Semantic() }.when(.flag("banner") && .flag("limit", atLeast: 3))
          Candidate("catalogue") { Catalogue() }
        })
      #expect(try services.get((any Search).self, in: shopper) is Catalogue)
      let following = try await services.follow(server(host, url))
      #expect(try services.get((any Search).self, in: shopper) is Semantic)
      following.cancel()
    }
  }

  @Test(arguments: [
    (
      HTTPResponse.Status.badRequest, #"{"errorCode": "INVALID_CONTEXT", "errorDetails": "no targetingKey"}"#, 30,
      "400 Bad Request: INVALID_CONTEXT: no targetingKey"
    ),
    (.notFound, "<html>", 30, "404 Not Found"),
    (.tooManyRequests, "", 120, "429 Too Many Requests"),
    (.internalServerError, #"{"errorDetails": "no database"}"#, 30, "500 Internal Server Error: no database"),
    (.ok, #"{"flags": {}}"#, 30, "the answer has no list of flags"),
    (.ok, #"["#, 30, "the answer has no list of flags"),
  ])
  func `An error makes the source stale`(
    _ status: HTTPResponse.Status, _ body: String, _ wait: Int, _ reason: String
  ) async throws {
    let host = FlagHost { _ in .json(Self.flags) }
    try await host.serving { [services, shopper] url in
      try services.register(.following(server(host, url)))
      try await services.start()
      host.answer { _ in .json(body, status: status, status == .tooManyRequests ? [.retryAfter: "120"] : [:]) }
      await host.clock.wake(.seconds(30))
      await host.clock.sleeps(for: .seconds(wait))
      #expect(services.flagState == reason)
      #expect(services.flag(FlagKey("banner", default: false), in: shopper))
      await services.close()
    }
  }

  @Test(arguments: [HTTPResponse.Status.unauthorized, .forbidden])
  func `A server that refuses the client is not asked again`(_ status: HTTPResponse.Status) async throws {
    let host = FlagHost { _ in .json(Self.flags) }
    try await host.serving { [services, shopper] url in
      let (failures, continuation) = AsyncStream<any Error>.makeStream()
      try services.register(.following(server(host, url), onFailure: { continuation.yield($0) }))
      try await services.start()
      host.answer { _ in Response(status: status) }
      await host.clock.wake(.seconds(30))
      let failure = await failures.first { _ in true }
      #expect("\(failure.map(String.init(describing:)) ?? "")".contains("\n\(status)\n"))
      await host.clock.isIdle()
      #expect(services.flagState == "\(status)")
      #expect(services.flag(FlagKey("banner", default: false), in: shopper))
      await services.close()
    }
  }

  /// An answer that names an event stream, and a theme.
  private static func theme(_ theme: String, stream: String) -> Response {
    .json(
      #"""
      {"flags": [{"key": "theme", "value": "\#(theme)", "reason": "STATIC"}],
       "eventStreams": [\#(stream), {"type": "carrier-pigeon", "url": "http://127.0.0.1:1"}]}
      """#)
  }

  @Test func `A stream that the server ends at once is opened less and less often`() async throws {
    let (host, theme) = (FlagHost { _ in .json("{}") }, Counter())
    try await host.serving { [services] url in
      host.answer { request in
        guard request.uri.path == "/events" else {
          return Self.theme("theme \(theme.next())", stream: #"{"type": "sse", "url": "\#(url)/events"}"#)
        }
        return Response(
          status: .ok, headers: [.contentType: "text/event-stream"],
          body: ResponseBody(byteBuffer: ByteBuffer(string: ": welcome\n\n")))
      }
      try services.register(.following(server(host, url)))
      try await services.start()
      for wait in [1, 2, 4] {
        await host.clock.sleeps(for: .seconds(wait))
        await host.clock.wake(.seconds(wait))
      }
      await services.close()
      await host.clock.isIdle()
    }
  }

  @Test(arguments: [
    #"{"type": "sse", "url": "URL/events"}"#, #"{"type": "sse", "endpoint": {"requestUri": "/events"}}"#,
  ])
  func `An event of the server's stream makes the client ask at once`(_ stream: String) async throws {
    let (host, theme) = (FlagHost { _ in .json("{}") }, Counter())
    try await host.serving { [services] url in
      let stream = stream.replacing("URL", with: url)
      host.answer { request in
        guard request.uri.path == "/events" else {
          host.requests.note("\(request.method) \(request.uri)")
          return Self.theme("theme \(theme.next())", stream: stream)
        }
        host.requests.note("events after \(request.headers[.lastEventID] ?? "-")")
        let events = host.events.makeStream()
        return Response(
          status: .ok, headers: [.contentType: "text/event-stream"],
          body: ResponseBody { writer in
            try await writer.write(ByteBuffer(string: ": welcome\n\n"))
            for await event in events { try await writer.write(ByteBuffer(string: event)) }
            try await writer.finish(nil)
          })
      }
      try services.register(.following(server(host, url)))
      var themes = services.values(of: Flags.self)
        .map { $0.evaluate(FlagKey("theme", default: "-"), in: FlagAttributes()).value }.makeAsyncIterator()
      #expect(await themes.next() == "-")
      try await services.start()
      #expect(await themes.next() == "theme 1")

      await host.events.send(": hello\n\ndata: {\"type\": \"other\"}\n\nid: 7\r\nevent: message\r\nid: \u{7}\r\nda")
      await host.events.send(
        "ta: {\"type\": \"refetchEvaluation\",\r\ndata: \"etag\": \"\\\"a+b\\\"\", \"lastModified\": 17}\r\n\r\n")
      #expect(await themes.next() == "theme 2")
      // However many changes are announced, the next request comes after a second.
      await host.clock.sleeps(for: .seconds(1))
      await host.events.send("data: {\"type\": \"refetchEvaluation\"}\n\ndata: {\"type\": \"refetchEvaluation\"}\n\n")
      await host.clock.wake(.seconds(1))
      #expect(await themes.next() == "theme 3")
      await host.clock.wake(.seconds(1))

      // The connection ends: the client opens it again after a second, and asks for what it may have missed.
      await host.clock.sleeps(for: .seconds(30))
      await host.events.end()
      await host.clock.wake(.seconds(1))
      #expect(await themes.next() == "theme 4")
      await services.close()
      await host.clock.isIdle()
      await host.events.end()
      let path = "POST /ofrep/v1/evaluate/flags"
      #expect(
        host.requests.all == [
          path, "events after -", "\(path)?flagConfigEtag=%22a%2Bb%22&flagConfigLastModified=17", path,
          "events after 7", path,
        ])
    }
  }
}

extension HTTPField.Name {
  fileprivate static var apiKey: Self { Self("X-API-Key") ?? .authorization }
  fileprivate static var lastEventID: Self { Self("Last-Event-ID") ?? .authorization }
}
