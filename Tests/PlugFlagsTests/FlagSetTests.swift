import Plug
import PlugFlags
import PlugKeys
import Testing

@Suite("A set of flags", .timeLimit(.minutes(10)))
struct FlagSetTests {
  /// Flags of two sets, one of them by the document's own metadata, and one whose flag is wrong.
  private let text = """
    {"flags": {
      "a": {"state": "ENABLED", "variants": {"on": 1}, "defaultVariant": "on"},
      "b": {"state": "ENABLED", "variants": {"on": 2}, "targeting": {"$ref": "piece"}, "metadata": {"flagSetId": "shop"}},
      "c": {"state": "on", "variants": {}, "metadata": {"flagSetId": "shop"}},
      "d": {"state": "on", "variants": {}}},
    "$evaluators": {"piece": "on"}, "metadata": {"flagSetId": "base", "team": "platform"}}
    """

  @Test("is in the metadata of flags, or else of the document")
  func selection() throws {
    let document = try FlagDocument(text)
    let shop = document.flagSet("shop")
    #expect(shop.keys == ["b", "c"])
    #expect(shop.metadata == ["flagSetId": "shop", "team": "platform"])
    #expect(
      shop.problems.map(\.description) == [#"flags.c.state: state "on" is unknown; one of ENABLED DISABLED"#])
    #expect(shop.evaluate("b", in: Buyer()).description == "on = Optional(2) (TARGETING_MATCH)")
    #expect(
      shop.json(isIndented: false)
        == #"{"flags":{"b":{"state":"ENABLED","variants":{"on":2},"targeting":"on","#
        + #""metadata":{"flagSetId":"shop","team":"platform"}},"#
        + #""c":{"state":"on","variants":{},"metadata":{"flagSetId":"shop","team":"platform"}}},"#
        + #""metadata":{"flagSetId":"shop","team":"platform"}}"#)
    #expect(try FlagDocument(shop.json()) == shop)
    #expect(document.flagSet("base").keys == ["a", "d"])
    #expect(document.flagSet("none").keys == [] && document.flagSet("none").problems == [])
  }

  @Test("is all that is followed of a source, where it is named")
  func following() async throws {
    let services = Injector("services")
    let (others, _) = AsyncStream<FlagDocument>.makeStream()
    let (documents, source) = AsyncStream<FlagDocument>.makeStream()
    let base = try await services.follow(
      others, named: "base", flagSet: "base", beginningWith: FlagDocument(text))
    try services.register(
      injectable: .following(documents, named: "shop", flagSet: "shop", beginningWith: try FlagDocument(text)))
    #expect(services[Flags.self].keys == ["a", "d"])
    try await services.start()
    #expect(services[Flags.self].keys == ["a", "d", "b", "c"])
    #expect(["a", "b", "e"].map { services[Flags.self].source(of: $0) } == ["base", "shop", nil])
    base.cancel()
    source.yield(try FlagDocument(text.replacing("\"b\"", with: "\"e\"")))
    try await until { services[Flags.self].keys == ["e", "c"] }
    await services.close()
  }
}
