import Plug
import PlugKeys
import PlugOperations
import TestSupport
import Testing

extension [ListedCandidate] {
  fileprivate var lines: [String] {
    map { "\($0.id) \($0.priority) \($0.applies) \($0.metadata(Entry.self)?.title ?? "-")" }
  }
}

@Suite("A list of candidates")
struct ListedCandidateTests {
  @Test("has those that apply in the order of getAll, then the others, and makes none")
  func order() throws {
    let log = Log()
    let services = try makeServices(log)
    #expect(
      try services.candidates(of: Exporter.self, in: Document()).lines == [
        "text 1 true -", "pdf 0 true PDF", "book 5 false A book", "draft 0 false -",
      ])
    let long = try services.candidates(of: Exporter.self, in: Document(isLong: true))
    #expect(long.lines == ["book 5 true A book", "text 1 true -", "pdf 0 true PDF", "draft 0 false -"])
    #expect(log.lines.isEmpty)
    let made = try services.getAll(Exporter.self, in: Document(isLong: true)).map(\.name)
    #expect(made == long.filter(\.applies).map(\.id))
  }

  @Test("finds metadata by its type, each of which is kept")
  func types() throws {
    let list = try makePoint(Log()).candidates(in: Document())
    let pdf = try #require(list.first { $0.id == "pdf" })
    #expect(pdf.metadata() == 1)
    #expect(pdf.metadata() == Entry(title: "PDF"))
    #expect(pdf.metadata(String.self) == nil)
    let replaced = Candidate<Int, Document>("a") { 1 }.metadata(1).metadata(2).onFailure(.skip)
    let point = PluginPoint<Int, Document>("point") { replaced }
    #expect(try point.candidates(in: Document()).map { $0.metadata(Int.self) } == [2])
  }

  @Test("keeps metadata of decorated and overridden services")
  func decorated() throws {
    let services = Injector("services")
    try services.contribute(Int.self, .factory { 1 }.metadata(Entry(title: "One")), id: "one")
    try services.decorate(Int.self) { inner, _ in inner + 1 }
    #expect(try services.candidates(of: Int.self).lines == ["one 0 true One"])
    #expect(try services.get(Int.self, candidate: "one") == 2)
  }

  @Test("has contributions of a scope behind inherited ones, and of each tag its own")
  func contributions() throws {
    let services = Injector("services")
    try services.contribute(Int.self, .factory { 1 }.metadata(Entry(title: "One")), id: "one")
    try services.contribute(Int.self, .factory { 2 }, id: "two", priority: 3)
    try services.contribute(Int.self, tag: "rare", .factory { 9 }, id: "nine")
    let scope = services.makeScope("request")
    try scope.contribute(Int.self, .factory { 3 }.metadata(Entry(title: "Three")), id: "three")
    try scope.contribute(Int.self, .factory { -1 }, id: "one")
    #expect(
      try scope.candidates(of: Int.self).lines == [
        "two 3 true -", "one 0 true One", "three 0 true Three", "one 0 true -",
      ])
    #expect(try scope.candidates(of: Int.self, tag: "rare").lines == ["nine 0 true -"])
    #expect(try scope.get(Int.self, candidate: "two") == 2)
    #expect(try scope.get(Int.self, candidate: "one") == -1)
    #expect(try services.get(Int.self, candidate: "one") == 1)
    #expect(try services.get(Int.self, tag: "rare", candidate: "nine") == 9)
  }

  @Test("has a registration without a rule as the default, and nothing for a missing service")
  func plain() throws {
    let services = Injector("services")
    #expect(try services.candidates(of: Int.self).isEmpty)
    try services.register(.singleton(7).metadata(Entry(title: "Seven")))
    #expect(try services.candidates(of: Int.self, in: Document()).lines == ["default 0 true Seven"])
    #expect(try services.get(Int.self, candidate: "default") == 7)
    try services.contribute(Int.self, .factory { 1 }, when: Rule<Document>.is(\.isLong), id: "one")
    #expect(
      try services.candidates(of: Int.self, in: Document()).lines == ["default 0 true Seven", "one 0 false -"])
    #expect(try services.get(Int.self, candidate: "default", in: Document(isLong: true)) == 7)
  }

  @Test("is ordered by a draw, and by switches")
  func draws() throws {
    let services = Injector("services")
    try services.register(
      PluginPoint<Int, Document>("point") {
        Candidate("a") { 1 }.weight(50, by: \.id)
        Candidate("b") { 2 }.weight(50, by: \.id)
        Candidate("c") { 3 }.when(.never)
      })
    for document in (0..<20).map({ Document(id: "d-\($0)") }) {
      let all = try services.getAll(Int.self, in: document)
      let listed = try services.candidates(of: Int.self, in: document).filter(\.applies).map(\.id)
      #expect(listed.map { try? services.get(Int.self, candidate: $0, in: document) } == all)
    }
    try services.force("c", at: "point", because: "a test")
    try services.disable("a", at: "point", because: "a test")
    #expect(
      try services.candidates(of: Int.self, in: Document()).lines == ["c 0 true -", "b 0 true -", "a 0 false -"])
    #expect(try services.get(Int.self, candidate: "c", in: Document()) == 3)
    #expect(try services.get(Int.self, candidate: "b", in: Document()) == 2)
  }

  @Test("does not offer a candidate in quarantine")
  func quarantine() throws {
    let (services, clock) = (Injector("services"), TestClock())
    try services.register(
      PluginPoint<Int, Document>("point") {
        Candidate("a") { throw Failure() }.onFailure(.quarantine(after: 1, for: .seconds(60), clock: clock))
        Candidate("b") { 2 }
      })
    #expect(try services.candidates(of: Int.self, in: Document()).lines == ["a 0 true -", "b 0 true -"])
    #expect(throws: InjectorError.self) { try services.get(Int.self, candidate: "a", in: Document()) }
    #expect(try services.candidates(of: Int.self, in: Document()).lines == ["b 0 true -", "a 0 false -"])
  }

  @Test("takes the context from the injector, and refuses another type")
  func contexts() throws {
    let services = try makeServices(Log())
    #expect(throws: InjectorError.self) { try services.candidates(of: Exporter.self) }
    #expect(throws: InjectorError.self) { try services.candidates(of: Exporter.self, in: 1) }
    try services.register(.singleton(Document(isLong: true)))
    #expect(try services.candidates(of: Exporter.self).filter(\.applies).map(\.id) == ["book", "text", "pdf"])
    #expect(try services.get(Exporter.self, candidate: "book").name == "book")
  }
}
