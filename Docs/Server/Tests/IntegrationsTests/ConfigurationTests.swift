import Configuration
import Plug
import PlugConfiguration
import PlugFlags
import PlugKeys
import Testing

private struct Visitor: Sendable {}

@Suite struct ConfigurationTests {
  private let services = Injector("shop")

  private func register() throws {
    try services.register(
      PluginPoint<String, Visitor>("checkout") {
        Candidate("new") { "new" }.when(.setting("checkout.new", is: true))
        Candidate("blue") { "blue" }.when(.setting("checkout.theme", is: "blue") && .setting("checkout.steps", is: 3))
        Candidate("old") { "old" }
      })
  }

  @Test func `Rules read the settings of a configuration`() throws {
    try register()
    #expect(try services.get(String.self, in: Visitor()) == "old")
    func winner(_ values: [AbsoluteConfigKey: ConfigValue]) throws -> String {
      services[Settings.self] = ConfigReader(provider: InMemoryProvider(values: values)).snapshot()
      return try services.get(String.self, in: Visitor())
    }
    #expect(try winner(["checkout.new": true]) == "new")
    #expect(try winner(["checkout.new": false]) == "old")
    #expect(try winner(["checkout.theme": "blue", "checkout.steps": 3]) == "blue")
    #expect(try winner(["checkout.theme": "blue", "checkout.steps": 4]) == "old")
    #expect(try winner(["checkout.new": "perhaps"]) == "old")
  }

  @Test func `An explanation names the setting, and what is missing`() throws {
    let rule = Rule<Visitor>.setting("checkout.new", is: true) || .setting("checkout.theme", is: "blue")
    services[Settings.self] = ConfigReader(provider: InMemoryProvider(values: ["checkout.theme": "blue"])).snapshot()
    #expect(
      rule.trace(in: Visitor(), from: services).description == """
        + any
          ? setting checkout.new == true (no setting checkout.new of this type)
          + setting checkout.theme == "blue"
        """)
  }

  @Test func `A reload is in force with the next choice`() async throws {
    try register()
    let provider = MutableInMemoryProvider(initialValues: ["checkout.new": false])
    let (changes, continuation) = AsyncStream<String>.makeStream()
    let token = services.observe(Settings.self) { [services] _ in
      continuation.yield((try? services.get(String.self, in: Visitor())) ?? "none")
    }
    let following = Task { [services] in try await services.followSettings(of: ConfigReader(provider: provider)) }
    var winners = changes.makeAsyncIterator()
    #expect(await winners.next() == "old")
    provider.setValue(true, forKey: "checkout.new")
    #expect(await winners.next() == "new")
    provider.setValue(nil, forKey: "checkout.new")
    #expect(await winners.next() == "old")
    following.cancel()
    _ = await following.result
    token.cancel()
  }

  @Test func `A configuration names the file of flags`() throws {
    let configuration = ConfigReader(provider: InMemoryProvider(values: ["flags.file": "/srv/flags.json"]))
    #expect(try FlagFile(configuredBy: configuration).path == "/srv/flags.json")
    #expect(throws: (any Error).self) { try FlagFile(configuredBy: configuration, forKey: "flags.path") }
  }
}
