import Foundation
import Plug
import PlugFlags
import PlugKeys
import PlugOperations
import PlugTesting
import Testing

@Suite("Several sources of flags", .timeLimit(.minutes(10)))
struct FlagSourceTests {
  private struct Failure: Error {}

  private let services = Injector("services")
  private let clock = ImpatientClock()

  private func document(_ numbers: [String: Int], metadata: String = "{}") throws -> FlagDocument {
    let flags = numbers.sorted { $0.key < $1.key }.map {
      #""\#($0)": {"state": "ENABLED", "variants": {"on": \#($1)}, "defaultVariant": "on"}"#
    }
    return try FlagDocument(#"{"flags": {\#(flags.joined(separator: ", "))}, "metadata": \#(metadata)}"#)
  }

  private func number(_ flag: String) -> Int { services.flag(FlagKey(flag, default: -1), in: Buyer()) }

  private func states() -> [String] { services.flagSources.map(\.description) }

  /// The report's lines about sources, without the time.
  private func reported() -> [String] {
    services.report().sections.flatMap { [$0.title] + $0.lines }.map {
      $0.replacing(/since [-0-9T:]+Z/, with: "since …")
    }
  }

  @Test("are merged in the order in which they are begun, whichever is newer")
  func merging() async throws {
    let (base, baseSource) = AsyncStream<FlagDocument>.makeStream()
    let (shop, shopSource) = AsyncStream<FlagDocument>.makeStream()
    baseSource.yield(try document(["a": 1, "b": 1], metadata: #"{"flagSetId": "base", "team": "platform"}"#))
    shopSource.yield(try document(["b": 2, "c": 2], metadata: #"{"flagSetId": "shop"}"#))
    let first = try await services.follow(base, named: "base")
    let second = try await services.follow(shop, named: "shop")
    #expect(services[Flags.self].keys == ["a", "b", "c"])
    #expect(["a", "b", "c"].map(number) == [1, 2, 2])
    #expect(["a", "b", "c", "d"].map { services[Flags.self].source(of: $0) } == ["base", "shop", "shop", nil])
    #expect(services[Flags.self].metadata == ["flagSetId": "shop", "team": "platform"])
    let metadata = services.evaluation(of: FlagKey("a", default: 0), in: Buyer()).metadata
    #expect(metadata == ["flagSetId": "base", "team": "platform"])
    #expect(
      services.explainFlag("b", in: Buyer()).description
        == #"flag "b": on = 2 (STATIC), from shop"#)
    baseSource.yield(try document(["a": 3, "b": 3]))
    try await until { [services] in services.flag(FlagKey("a", default: 0), in: Buyer()) == 3 }
    #expect(["a", "b", "c"].map(number) == [3, 2, 2])
    shopSource.yield(try document(["c": 4]))
    try await until { [services] in services.flag(FlagKey("c", default: 0), in: Buyer()) == 4 }
    #expect(["a", "b", "c"].map(number) == [3, 3, 4])
    #expect(states() == ["base: current", "shop: current"])
    second.cancel()
    #expect(["a", "b", "c"].map(number) == [3, 3, 4])
    baseSource.yield(try document(["a": 5]))
    try await until { [services] in services.flag(FlagKey("a", default: 0), in: Buyer()) == 5 }
    #expect(services[Flags.self].keys == ["a"])
    #expect(states() == ["base: current"])
    first.cancel()
  }

  @Test("keep a valid flag of an earlier source where a later one has an unreadable flag, whose problem is listed")
  func unreadable() async throws {
    func source(_ state: String, _ value: Int) throws -> FlagDocument {
      try FlagDocument(
        #"{"flags": {"a": {"state": "\#(state)", "variants": {"on": \#(value)}, "defaultVariant": "on"}}}"#)
    }
    let documents = [
      ("base", try source("ENABLED", 1)), ("shop", try source("ON", 2)), ("late", try source("OFF", 3)),
    ]
    var following: [FlagFollowing] = []
    for (name, document) in documents {
      let (stream, continuation) = AsyncStream<FlagDocument>.makeStream()
      continuation.yield(document)
      following.append(try await services.follow(stream, named: name))
    }
    #expect(number("a") == 1)
    #expect(services[Flags.self].source(of: "a") == "base")
    #expect(
      services[Flags.self].problems.map(\.description) == [
        "flags.a.state: state \"OFF\" is unknown; one of ENABLED DISABLED"
      ])
    withExtendedLifetime(following) {}
  }

  @Test("leave evaluators and problems to those that have them")
  func parts() async throws {
    let base = """
      {"flags": {
        "a": {"state": "ENABLED", "variants": {"true": 1}, "targeting": {"$ref": "piece"}},
        "b": {"state": "ENABLED", "variants": {"true": 1}, "targeting": {"nope": 1}},
        "c": {"state": "on", "variants": {}}},
      "$evaluators": {"piece": {"!": [false]}}, "metadata": {"x": 1}}
      """
    let shop = """
      {"flags": {"b": {"state": "ENABLED", "variants": {"true": 2}, "targeting": {"if": [{"$ref": "piece"}, true]}}},
      "$evaluators": {"piece": true}}
      """
    let (documents, _) = AsyncStream<FlagDocument>.makeStream()
    let first = try await services.follow(documents, named: "base", beginningWith: FlagDocument(base))
    let second = try await services.follow(documents, named: "shop", beginningWith: FlagDocument(shop))
    let document = services[Flags.self]
    #expect(document.problems.map(\.description) == [#"flags.c.state: state "on" is unknown; one of ENABLED DISABLED"#])
    #expect(["a", "b"].map(number) == [1, 2])
    #expect(
      document.json(isIndented: false)
        == #"{"flags":{"a":{"state":"ENABLED","variants":{"true":1},"targeting":{"!":[false]},"metadata":{"x":1}},"#
        + #""b":{"state":"ENABLED","variants":{"true":2},"targeting":{"if":[true,true]}},"#
        + #""c":{"state":"on","variants":{},"metadata":{"x":1}}},"metadata":{"x":1}}"#)
    #expect(try FlagDocument(document.json()) == document)
    withExtendedLifetime((first, second)) {}
  }

  @Test("never put an older document into force after a newer one, from many threads")
  func order() async throws {
    let seen = Log<[Int]>()
    let keys = (0..<4).map { "flag \($0)" }
    let observation = services.observe(Flags.self) { document in
      seen.add(keys.map { document.evaluate(FlagKey($0, default: 0), in: FlagAttributes()).value })
    }
    var followings: [FlagFollowing] = []
    var sources: [AsyncStream<FlagDocument>.Continuation] = []
    for key in keys {
      let (documents, source) = AsyncStream<FlagDocument>.makeStream()
      followings.append(try await services.follow(documents, beginningWith: document([key: 1])))
      sources.append(source)
    }
    #expect(states() == (1...4).map { "source \($0): waiting for a document" })
    for round in 2...50 {
      for (key, source) in zip(keys, sources) { source.yield(try document([key: round])) }
    }
    try await until { seen.last == [50, 50, 50, 50] }
    for (older, newer) in zip(seen.elements, seen.elements.dropFirst()) {
      #expect(zip(older, newer).allSatisfy { $0 <= $1 }, "\(older), then \(newer)")
    }
    for following in followings { following.cancel() }
    observation.cancel()
  }

  @Test("throw at once for a file that does not exist, or has no document")
  func missing() async throws {
    let (folder, problems) = (try Folder(), Log<FlagDocumentError>())
    let file = FlagFile(folder.path("flags.json"), clock: clock) { problems.add($0) }
    let missing = await #expect(throws: FlagDocumentError.self) { try await services.follow(file) }
    #expect(
      missing?.description == """
        Flag document "\(folder.path("flags.json"))" cannot be read
        No such file or directory
        To fix this: check that it exists, and that the process may read it
        """)
    #expect(problems.elements == [try #require(missing)])
    #expect(services.flagSources == [])
    try folder.write("[]", to: "flags.json")
    await #expect(throws: FlagDocumentError.noFlags(problem: "the text is an array, not an object")) {
      try await services.follow(file)
    }
    try services.register(injectable: .following(file))
    await #expect(throws: InjectorError.self) { try await services.start() }
  }

  @Test("begin with a document, are stale while their file cannot be read, and tell so in the report")
  func stale() async throws {
    let folder = try Folder()
    let path = folder.path("flags.json")
    let following = try await services.follow(
      FlagFile(path, clock: clock), beginningWith: document(["number": 0]))
    #expect(number("number") == 0)
    try await until { reported() == ["flag sources", "\(path): stale since …: No such file or directory"] }
    try folder.replace("flags.json", by: numbered(1).json())
    try await until { states() == ["\(path): current"] && number("number") == 1 }
    try folder.replace("flags.json", by: "{\"flags\"")
    try await until {
      reported() == [
        "flag sources", "\(path): stale since …: line 1, column 9: expected \":\", found the end of the text",
      ]
    }
    #expect(number("number") == 1)
    try folder.replace("flags.json", by: numbered(1).json())
    try await until { states() == ["\(path): current"] }
    #expect(services.report().description == "services, open\n  flag sources:\n    \(path): current")
    let report = services.report()
    #expect(try JSONDecoder().decode(InjectorReport.self, from: JSONEncoder().encode(report)) == report)
    following.cancel()
    #expect(services.report().sections == [])
  }

  @Test("are stale when they end or fail, since the first time")
  func ending() async throws {
    let (documents, source) = AsyncThrowingStream<FlagDocument, any Error>.makeStream()
    source.yield(try numbered(1))
    let first = try await services.follow(documents, named: "failing")
    source.finish(throwing: Failure())
    let (others, other) = AsyncStream<FlagDocument>.makeStream()
    let second = try await services.follow(others, beginningWith: numbered(2))
    other.finish()
    try await until {
      reported() == [
        "flag sources", "failing: stale since …: Failure()", "source 2: stale since …: the sequence has ended",
      ]
    }
    #expect(number("number") == 2)
    withExtendedLifetime((first, second)) {}
  }

  @Test("belong to the scope in which they are followed")
  func scopes() async throws {
    let scope = services.makeScope("request")
    let (documents, _) = AsyncStream<FlagDocument>.makeStream()
    let outer = try await services.follow(documents, named: "outer", beginningWith: numbered(1))
    #expect(scope.flagSources.map(\.name) == ["outer"])
    let inner = try await scope.follow(documents, named: "inner", beginningWith: numbered(2))
    #expect(scope.flagSources.map(\.name) == ["inner"])
    #expect(services.flagSources.map(\.name) == ["outer"])
    #expect(scope[Flags.self].source(of: "number") == "inner")
    #expect(number("number") == 1)
    withExtendedLifetime((outer, inner)) {}
    await scope.close()
  }

  @Test("are copied for an isolated test, which merges with them", .isolated)
  func isolation() async throws {
    let (documents, _) = AsyncStream<FlagDocument>.makeStream()
    let following = try await services.follow(documents, beginningWith: document(["a": 1]))
    try services.override(flag: "b", is: 2)
    #expect(["a", "b"].map(number) == [1, 2])
    #expect(services[Flags.self].source(of: "b") == nil)
    try services.override(flag: "a", is: 3)
    #expect(services[Flags.self].source(of: "a") == nil)
    withExtendedLifetime(following) {}
  }
}

@Suite("The changed keys of a new document", .timeLimit(.minutes(10)))
struct FlagChangeTests {
  private func document(_ flags: String, _ others: String = "") throws -> FlagDocument {
    try FlagDocument("{\"flags\": {\(flags)}\(others)}")
  }

  private let a = #""a": {"state": "ENABLED", "variants": {"on": 1}, "targeting": {"$ref": "x"}}"#
  private let b = #""b": {"state": "ENABLED", "variants": {"on": 1}}"#

  @Test("are the keys of flags that were added, removed or changed, also by an evaluator or metadata")
  func keys() throws {
    let old = try document("\(a), \(b)", #", "$evaluators": {"x": 1, "y": 2}"#)
    #expect(try document("\(b), \(a)", #", "$evaluators": {"y": 3, "x": 1}"#).changedKeys(since: old) == [])
    #expect(try document("\(a), \(b)", #", "$evaluators": {"x": 2}"#).changedKeys(since: old) == ["a"])
    #expect(
      try document("\(a), \(b)", #", "$evaluators": {"x": 1}, "metadata": {"v": 1}"#).changedKeys(since: old)
        == ["a", "b"])
    #expect(try document("\(b), \"c\": {}").changedKeys(since: old) == ["c", "a"])
    #expect(old.replacing(flag: "b", with: 2).changedKeys(since: old) == ["b"])
  }

  @Test("come as a sequence, which ends with the injector")
  func events() async throws {
    let services = Injector("services")
    services[Flags.self] = try document(b)
    let changes = Log<[String]>()
    let stream = services.flagChanges()
    let task = Task { for await keys in stream { changes.add(keys) } }
    services[Flags.self] = try document("\(b), \"c\": {}")
    try await until { changes.elements == [["c"]] }
    services[Flags.self] = try document("\"c\": {}, \(b)")
    services[Flags.self] = .empty
    try await until { changes.count == 2 }
    #expect(changes.last?.sorted() == ["b", "c"])
    await services.close()
    await task.value
    #expect(changes.count == 2)
  }
}
