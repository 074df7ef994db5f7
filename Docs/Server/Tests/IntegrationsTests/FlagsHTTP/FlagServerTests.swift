import Foundation
import HTTPTypes
import Hummingbird
import Plug
import PlugFlags
import PlugFlagsHTTP
import PlugKeys
import PlugOperations
import Testing

@Suite(.timeLimit(.minutes(10))) struct FlagServerTests {
  private let services = Injector("shop")

  @Test func `A document is asked for again only if it has changed`() async throws {
    let host = FlagHost { _ in .numbers(1, tag: "\"one\"") }
    try await host.serving { [services] url in
      host.answer { request in
        host.requests.note("\(request.uri.path) \(request.headers[.ifNoneMatch] ?? "-")")
        return .numbers(1, tag: "\"one\"")
      }
      try services.register(.following(FlagServer(url + "/flags.json?secret", polling: host.polling())))
      try await services.start()
      #expect(services[Flags.self].number("a") == 1)
      #expect(services.flagSources.map(\.description) == ["\(url)/flags.json: current"])

      host.answer { request in
        host.requests.note("304 \(request.headers[.ifNoneMatch] ?? "-")")
        return Response(status: .notModified)
      }
      await host.clock.wake(.seconds(30))
      await host.clock.sleeps(for: .seconds(30))
      host.answer { request in
        host.requests.note("200 \(request.headers[.ifNoneMatch] ?? "-")")
        return .numbers(2)
      }
      await host.clock.wake(.seconds(30))
      await host.clock.sleeps(for: .seconds(30))
      #expect(services[Flags.self].number("a") == 2)
      await host.clock.wake(.seconds(30))
      await host.clock.sleeps(for: .seconds(30))
      #expect(host.requests.all == ["/flags.json -", "304 \"one\"", "200 \"one\"", "200 -"])

      await services.close()
      await host.clock.isIdle()
    }
  }

  @Test func `Jitter lengthens a wait by its share at most`() async throws {
    let host = FlagHost { _ in .numbers(1) }
    try await host.serving { [services] url in
      let polling = FlagPolling(every: .seconds(100), jitter: 0.5, clock: host.clock)
      try services.register(.following(FlagServer(url, polling: polling)))
      try await services.start()
      var waits: Set<Duration> = []
      for _ in 0..<20 {
        let wait = await host.clock.sleeps { $0 >= .seconds(100) }
        waits.insert(wait)
        await host.clock.wake(wait)
      }
      #expect(waits.count > 1)
      #expect(waits.allSatisfy { $0 <= .seconds(150) })
      await services.close()
    }
  }

  @Test func `Without a first answer, the start fails with the reason`() async throws {
    let host = FlagHost { _ in Response(status: .notFound) }
    try await host.serving { [services] url in
      try services.register(.following(FlagServer(url + "/flags.json", polling: host.polling())))
      await #expect(throws: InjectorError.self) { try await services.start() }
      let direct = await #expect(throws: FlagDocumentError.self) {
        try await services.follow(FlagServer(url + "/flags.json", polling: host.polling()))
      }
      #expect(
        direct?.description == """
          Flag document "\(url)/flags.json" cannot be read
          404 Not Found
          To fix this: check that it exists, and that the process may read it
          """)
    }
  }

  @Test func `A document that is shipped is current until the server answers`() async throws {
    let host = FlagHost { _ in Response(status: .badGateway) }
    try await host.serving { [services] url in
      let following = try await services.follow(
        FlagServer(url, polling: host.polling()), named: "server", beginningWith: try FlagDocument(.numbers(5)))
      await host.clock.sleeps(for: .seconds(30))
      #expect(services[Flags.self].number("a") == 5)
      #expect(services.flagState == "502 Bad Gateway")
      #expect(services.report().description.contains("server: stale since "))
      following.cancel()
      await host.clock.isIdle()
    }
  }

  @Test func `The next launch has the document of the cache until the first answer`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "flags-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (host, cache) = (FlagHost { _ in .numbers(1) }, folder.appending(path: "cache.json").path)
    try await host.serving { [services] url in
      try services.register(.following(FlagServer(url, polling: host.polling(cache: cache))))
      try await services.start()
      await services.close()
      #expect(try FlagDocument(contentsOfFile: cache).number("a") == 1)

      host.answer { _ in Response(status: .badGateway) }
      let next = Injector("next launch")
      try next.register(.following(FlagServer(url, polling: host.polling(cache: cache))))
      try await next.start()
      await host.clock.sleeps(for: .seconds(30))
      #expect(next[Flags.self].number("a") == 1)
      guard case .stale(_, "502 Bad Gateway") = next.flagSources.first?.state else {
        Issue.record("The source is \(next.flagSources)")
        return
      }
      host.answer { _ in .numbers(2) }
      await host.clock.wake(.seconds(30))
      await host.clock.sleeps(for: .seconds(30))
      #expect(next[Flags.self].number("a") == 2)
      await next.close()
      #expect(try FlagDocument(contentsOfFile: cache).number("a") == 2)

      try Data("{".utf8).write(to: URL(fileURLWithPath: cache))
      let last = Injector("launch after a crash of the disk")
      try last.register(.following(FlagServer(url, polling: host.polling(cache: cache))))
      try await last.start()
      #expect(last[Flags.self].number("a") == 2)
      await last.close()
    }
  }

  @Test func `A cache that cannot be written is reported, and the document is current`() async throws {
    let host = FlagHost { _ in .numbers(1) }
    try await host.serving { [services] url in
      let problems = Events()
      let server = FlagServer(url, polling: host.polling(cache: "/nowhere/cache.json")) { problems.note("\($0)") }
      try services.register(.following(server))
      try await services.start()
      #expect(services[Flags.self].number("a") == 1)
      #expect(problems.all.map { $0.prefix { $0 != "\n" } } == ["Flag document \"/nowhere/cache.json\" cannot be read"])
      #expect(services.flagState == "current")
      await services.close()
    }
  }

  @Test func `Each request has the headers of the program`() async throws {
    let host = FlagHost { _ in .numbers(1) }
    try await host.serving { [services] url in
      host.answer { request in
        host.requests.note(request.headers[.authorization] ?? "-")
        return .numbers(1)
      }
      let count = Counter()
      let polling = host.polling(headers: {
        let number = count.next()
        if number == 2 { throw HTTPError(.gone) }
        return ["Authorization": "Bearer \(number)"]
      })
      try services.register(.following(FlagServer(url, polling: polling)))
      try await services.start()
      await host.clock.wake(.seconds(30))
      await host.clock.wake(.seconds(30))
      await host.clock.sleeps(for: .seconds(30))
      #expect(host.requests.all == ["Bearer 1", "Bearer 3"])
      await services.close()
    }
  }
}
