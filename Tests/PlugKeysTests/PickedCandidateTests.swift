import Plug
import PlugKeys
import PlugOperations
import TestSupport
import Testing

@Suite("A candidate that is requested by its id")
struct PickedCandidateTests {
  /// The error of a request of a candidate for a short document.
  private func refusal(of candidate: String, by services: Injector) throws -> InjectorError {
    try #require(throws: InjectorError.self) {
      try services.get(Exporter.self, candidate: candidate, in: Document(), fileID: "App/Menu.swift", line: 7)
    }
  }

  @Test("is the only one that is made, and is the instance of every choice")
  func single() throws {
    let log = Log()
    let services = try makeServices(log)
    let pdf = try services.get(Exporter.self, candidate: "pdf", in: Document())
    #expect(log.lines == ["pdf"])
    #expect(try services.getAll(Exporter.self, in: Document()).contains { $0 === pdf })
    let point = makePoint(log)
    #expect(try point.get(candidate: "pdf", in: Document()) === point.plugins(in: Document())[1])
  }

  @Test("may be a registration of the parent that a scope has contributed to")
  func inherited() throws {
    let (services, log) = (Injector("services"), Log())
    try services.register(Exporter.self, .scoped { Exporter("plain", log) })
    let scope = services.makeScope("request")
    try scope.contribute(Exporter.self, .scoped { Exporter("own", log) }, id: "own")
    #expect(try scope.candidates(of: Exporter.self).map(\.id) == ["default", "own"])
    #expect(try scope.get(Exporter.self, candidate: "default").name == "plain")
    #expect(log.lines == ["plain"])
    #expect(try scope.get(Exporter.self, candidate: "own").name == "own")
  }

  @Test("needs only its own rules")
  func rules() throws {
    let (services, log) = (Injector("services"), Log())
    func rule(_ name: String) -> Rule<Document> {
      Rule(name) { _ in
        log.add(name)
        return true
      }
    }
    try services.register(
      PluginPoint<Int, Document>("point") {
        Candidate("a") { 1 }.when(rule("a"))
        PluginPoint("inner", when: rule("inner")) { Candidate("b") { 2 }.when(rule("b")) }
        Candidate("c") { 3 }.when(rule("c"))
      })
    #expect(try services.get(candidate: "b", in: Document()) == 2)
    #expect(log.lines == ["inner", "b"])
  }

  @Test("is loaded if it is made asynchronously")
  func loading() async throws {
    let services = Injector("services")
    try services.register(
      PluginPoint<Int, Document>("point") {
        Candidate("a") { 1 }
        Candidate(
          "b",
          .lazySingleton {
            await Task.yield(); return 2
          })
      })
    #expect(throws: InjectorError.self) { try services.get(Int.self, candidate: "b", in: Document()) }
    #expect(try await services.load(Int.self, candidate: "b", in: Document()) == 2)
    #expect(try services.get(Int.self, candidate: "b", in: Document()) == 2)
  }

  @Test("is reported as an exposure")
  func exposure() throws {
    let (services, log) = (try makeServices(Log()), Log())
    let token = services.onSelection(of: Exporter.self) { log.add("\($0)") }
    _ = try services.get(Exporter.self, candidate: "pdf", in: Document())
    withExtendedLifetime(token) { #expect(log.lines == ["pdf at export: rule"]) }
  }

  @Test("does not apply where its rules exclude it, and the error explains why")
  func excluded() throws {
    let error = try refusal(of: "book", by: makeServices(Log()))
    #expect(error.facts.candidate == "book")
    #expect(
      "\(error)" == """
        get(Exporter.self, candidate: "book") failed: this candidate does not apply.
          service:        Exporter [book]
          injector:       services
          chain:          Exporter [book]
          asked at:       App/Menu.swift:7
          Exporter in Document: 2 of 4 apply, selected: text
            point export: open
              pdf: available as number 2
              point long: ruled out
                - isLong == true: false
                book: not evaluated, priority 5
                draft: not evaluated
              text: selected, priority 1
        To fix this:
          - Offer only the candidates that apply: candidates(of:in:) tells which do.
        """)
  }

  @Test("that is unknown is reported with the nearest id")
  func unknown() throws {
    let services = try makeServices(Log())
    let error = try refusal(of: "boook", by: services)
    #expect(error.facts.nearest == "book")
    #expect(
      "\(error)" == """
        get(Exporter.self, candidate: "boook") failed: there is no such candidate.
          service:        Exporter [boook]
          injector:       services
          chain:          Exporter [boook]
          asked at:       App/Menu.swift:7
          nearest:        book, registered at App/Points.swift:3
        To fix this:
          - Pass the id of one of its candidates: candidates(of:) and explain list them.
        """)
    let missing = try #require(throws: InjectorError.self) {
      try services.get(Int.self, candidate: "a", fileID: "App/Menu.swift", line: 7)
    }
    #expect("\(missing)".hasPrefix("get(Int.self) failed: nothing is registered for Int."))
  }

  @Test("of a point without an injector has the point in its errors")
  func pointErrors() throws {
    let point = makePoint(Log())
    let excluded = try #require(throws: InjectorError.self) { try point.get(candidate: "draft", in: Document()) }
    #expect(
      "\(excluded)" == """
        get(Exporter.self, candidate: "draft") failed: this candidate does not apply.
          service:        Exporter [draft]
          point:          export
          chain:          Exporter [draft]
          export in Document: 2 of 4 apply, selected: text
            pdf: available as number 2
            point long: ruled out
              - isLong == true: false
              book: not evaluated, priority 5
              draft: not evaluated
            text: selected, priority 1
        To fix this:
          - Offer only the candidates that apply: candidates(of:in:) tells which do.
        """)
    let unknown = try #require(throws: InjectorError.self) { try point.get(candidate: "boook", in: Document()) }
    #expect(
      "\(unknown)" == """
        get(Exporter.self, candidate: "boook") failed: there is no such candidate.
          service:        Exporter [boook]
          point:          export
          chain:          Exporter [boook]
          nearest:        book, registered at App/Points.swift:3
        To fix this:
          - Pass the id of one of its candidates: candidates(of:) and explain list them.
        """)
  }

  @Test("fails if its factory registers its point again each time")
  func replaced() throws {
    let (services, log) = (Injector("services", allowRewrite: true), Log())
    @Sendable func register() throws {
      try services.register(
        PluginPoint<Exporter, Document>("export") {
          Candidate(
            "pdf",
            .lazySingleton {
              try register(); return Exporter("pdf", log)
            }.onClose { _ in })
        })
    }
    try register()
    #expect(
      try refusal(of: "pdf", by: services).headline
        == "get(Exporter.self) failed: Exporter [pdf] was replaced or reset during each of 1000 attempts to make it.")
  }
}
