import Plug
import PlugFlags
import PlugKeys
import PlugTesting
import Testing

private let checkout = FlagKey("checkout", default: "none")

@Suite("Global attributes")
struct FlagAttributesOfInjectorTests {
  private let services: Injector

  init() throws {
    services = Injector("services")
    services[Flags.self] = try flags([
      "checkout": choice(
        of: ["eu", "acme", "classic"], "classic",
        targeting: #"{"if": [{"==": [{"var": "tenant"}, "acme"]}, "acme", {"==": [{"var": "region"}, "eu"]}, "eu"]}"#)
    ])
  }

  @Test("are under those of a request, which are under those of the call")
  func precedence() {
    #expect(services.flag(checkout, in: FlagAttributes()) == "classic")
    services.flagAttributes = ["region": "eu", "targetingKey": "program"]
    #expect(services.flag(checkout, in: FlagAttributes()) == "eu")
    let request = services.makeScope("request")
    request.flagAttributes["tenant"] = "acme"
    #expect(request.flag(checkout, in: FlagAttributes()) == "acme")
    #expect(request.flag(checkout, in: ["tenant": "other"] as FlagAttributes) == "eu")
    #expect(request.flag(checkout, in: ["tenant": .null, "region": "us"] as FlagAttributes) == "classic")
    #expect(services.flag(checkout, in: FlagAttributes()) == "eu")
  }

  @Test("decide rules, typed evaluations and explanations, and identify a context without a key of its own")
  func everywhere() throws {
    var global: FlagAttributes = ["region": "eu", "targetingKey": "p-17"]
    global.privateAttributes = ["region"]
    services.flagAttributes = global
    try services.register(
      PluginPoint<String, FlagAttributes>("checkout", decidedBy: "checkout") {
        Candidate("eu", .factory { "eu" })
        Candidate("classic", .factory { "classic" })
      })
    #expect(try services.get(String.self, in: FlagAttributes()) == "eu")
    #expect(services.evaluation(of: checkout, in: FlagAttributes()).variant == "eu")
    #expect(
      "\(services.explainFlag("checkout", in: ["tenant": "x"] as FlagAttributes))" == """
        flag "checkout": eu = "eu" (TARGETING_MATCH)
          if: "eu"
            ==: false
              var tenant: "x"
              "acme"
            ==: true
              var region: "•••"
              "eu"
            "eu"
        """)
    services[Flags.self] = try flags([
      "checkout": choice(of: ["on"], "on", targeting: #"{"fractional": [["on", 100]]}"#)
    ])
    #expect(services.evaluation(of: checkout, in: FlagAttributes()).reason == .targetingMatch)
    #expect(
      "\(services.explainFlag("checkout", in: FlagAttributes()))".contains("fractional: \"on\""))
  }

  @Test("are a test's own in an isolated test")
  func isolated() {
    services.flagAttributes = ["region": "eu"]
    withIsolatedInjectors {
      services.flagAttributes["region"] = "us"
      #expect(services.flag(checkout, in: FlagAttributes()) == "classic")
    }
    #expect(services.flag(checkout, in: FlagAttributes()) == "eu")
  }

  @Test("stay what they were for one choice, whatever a rule does")
  func steady() throws {
    services.flagAttributes = ["region": "eu"]
    let changing = Rule<FlagAttributes>("changes them") { [services] (_: FlagAttributes) in
      services.flagAttributes["region"] = "us"
      return true
    }
    try services.register(
      PluginPoint<String, FlagAttributes>("checkout") {
        Candidate("first", .factory { "first" }).when(
          Rule.flag("checkout", variant: "eu") && changing && .flag("checkout", variant: "classic"))
        Candidate("second", .factory { "second" }).when(.flag("checkout", variant: "eu"))
      })
    #expect(try services.get(String.self, in: FlagAttributes()) == "second")
    #expect(services.flag(checkout, in: FlagAttributes()) == "classic")
  }

  @Test("change the selections that follow the flags, also those of scopes", .timeLimit(.minutes(10)))
  func followed() async throws {
    try services.register(
      PluginPoint<String, FlagAttributes>("checkout", decidedBy: "checkout") {
        for id in ["eu", "acme", "classic"] { Candidate(id, .factory { id }) }
      })
    let request = services.makeScope("request")
    var winners = request.selections(of: String.self, in: FlagAttributes()).makeAsyncIterator()
    #expect(try await winners.next() == "classic")
    services.flagAttributes = ["region": "eu"]
    #expect(try await winners.next() == "eu")
    request.flagAttributes["tenant"] = "acme"
    #expect(try await winners.next() == "acme")
    request.closeNow()
    request.flagAttributes["tenant"] = "other"
    #expect(request.flagAttributes == ["tenant": "acme"])
    #expect(services.flagAttributes == ["region": "eu"])
  }
}
