import HTTPTypes
import OrderServer
import Plug
import PlugOperations
import Testing

@Suite(.timeLimit(.minutes(5))) struct FlagsTests {
  private let folder = TemporaryFolder()
  private let shop: TestShop

  init() throws {
    shop = try TestShop(flags: folder.path("flags.json"))
  }

  /// A document with free shipping for two countries.
  private static func free(in countries: String) -> String {
    """
    {"flags": {"free-shipping": {
      "state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
      "targeting": {"if": [{"in": [{"var": "country"}, [\(countries)]]}, "on"]}
    }}}
    """
  }

  private static let free = Answer(
    200,
    """
    {"delivery":0,"goods":2490,"pricing":"list","product":1,"quantity":1,"shipping":"free","tax":498,"total":2988}
    """)

  private static let parcel = Answer(
    200,
    """
    {"delivery":490,"goods":2490,"pricing":"list","product":1,"quantity":1,"shipping":"parcel","tax":596,"total":3576}
    """)

  /// Sends requests until the response is as expected, because the server polls the file.
  private func wait(for expected: Answer, _ client: Client, in country: String) async throws {
    while try await client.get("/products/1/quote", as: .shopper(country: country)) != expected {}
  }

  @Test func `A flag decides while the server runs, and a new file counts without a restart`() async throws {
    try folder.write(Self.free(in: #""FR""#), to: "flags.json")
    try await shop.serving { client async throws in
      #expect(try await client.get("/products/1/quote", as: .shopper(country: "FR")) == Self.free)
      #expect(
        try await client.get("/explain/shipping", as: .shopper(country: "FR"))
          == Answer(
            200,
            """
            Shipping in Shopper: 2 of 4 apply, selected: campaign
              point shipping: open
                courier: ruled out
                  - all
                    ? appVersion >= 3.0.0: nil (appVersion has no value)
                    - country in ["DE", "NL"]: "FR"
                free: ruled out
                  - tier in [gold, platinum]: standard
                parcel: available as number 2
              campaign: selected, priority 10
                + flag "free-shipping": on = true (TARGETING_MATCH), from flags.json
                    if: "on"
                      in: true
                        var country: "FR"
                        ["FR"]
                      "on"

            """))
      try folder.write(Self.free(in: #""NO""#), to: "flags.json")
      try await wait(for: Self.parcel, client, in: "FR")
    }
    #expect(shop.logs.entries.map(\.message) == [])
  }

  @Test func `A broken file is logged and stale, and the last document stays until it is repaired`() async throws {
    try folder.write(Self.free(in: #""FR""#), to: "flags.json")
    try await shop.serving { client async throws in
      try folder.write(#"{"flags": "#, to: "flags.json")
      while shop.logs.entries.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
      #expect(try await client.get("/products/1/quote", as: .shopper(country: "FR")) == Self.free)
      #expect(shop.services.report().description.contains("\n    flags.json: stale since "))
      try folder.write(Self.free(in: #""NO""#), to: "flags.json")
      try await wait(for: Self.parcel, client, in: "FR")
      #expect(shop.services.report().description.contains("\n    flags.json: current\n"))
    }
    #expect(shop.logs.entries.map(\.message) == ["flags cannot be read"])
    #expect(
      shop.logs.entries.map { "\($0.metadata["error"] ?? "")" } == [
        """
        The text is not a flag document, because it is not JSON
        line 1, column 11: expected a value, found the end of the text
        To fix this: correct the text at this place
        """
      ])
  }

  @Test func `A flag that is wrong is logged, and decides nothing`() async throws {
    try folder.write(Self.free(in: #""FR""#).replacing(#""in""#, with: #""im""#), to: "flags.json")
    try await shop.serving { client async throws in
      #expect(try await client.get("/products/1/quote", as: .shopper(country: "FR")) == Self.parcel)
    }
    #expect(shop.logs.entries.map(\.message) == ["flag is wrong"])
    #expect(
      shop.logs.entries.map { "\($0.metadata["problem"] ?? "")" } == [
        #"flags.free-shipping.targeting.if[0].im: operator "im" is unknown; did you mean "if"?"#
      ])
  }

  @Test func `The start waits for the first flags`() async throws {
    try await shop.listening { client async throws in
      while shop.logs.entries.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
      #expect(try await client.get("/health") == Answer(503, "starting"))
      try folder.write(Self.free(in: #""FR""#), to: "flags.json")
      await shop.services.reaches(.serving)
      #expect(try await client.get("/products/1/quote", as: .shopper(country: "FR")) == Self.free)
    }
  }

  @Test func `The executable follows the files that its environment and its configuration name`() async throws {
    try folder.write(Self.free(in: #""FR""#), to: "flags.json")
    let server = try await ServerProcess(
      files: [
        "CONFIGURATION": """
        {"promotion": "trial", "flags": {"file": "\(folder.path("flags.json"))"}, "payment": {"card-only": true}}
        """
      ])
    try await Client.connected(to: server.port) { client in
      try await wait(for: Self.free, client, in: "FR")
      while try await client.get("/promotion") != Answer(200, #"{"stage":"trial"}"#) {}
      let order = try await client.post("/orders", #"{"product":1,"quantity":1}"#, as: .shopper(version: "2.4.0"))
      #expect(order.body.contains(#""payment":"card""#))
    }
    #expect(await server.terminate() == 0)
  }
}
