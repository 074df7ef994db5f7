import Plug
import PlugFlags
import PlugKeys
import PlugOperations
import PlugTesting
import Testing

@Suite("A flag that code reads")
struct FlagExposureTests {
  private let services = Injector("services")
  private let seen = Log<Exposure>()

  init() throws {
    services[Flags.self] = try flags([
      "on": constant(true), "off": #""state": "DISABLED", "variants": {"on": true}, "defaultVariant": "on""#,
      "banner": choice(
        of: ["red", "blue"], "red", targeting: #"{"if": [{"==": [{"var": "country"}, "DE"]}, "blue"]}"#),
    ])
    try services.register(
      PluginPoint<any Checkout, Buyer>("checkout") { Candidate("one-click") { OneClick() }.when(.flag("on")) })
  }

  @Test("is exposed with its variant, whether the targeting has chosen it or not")
  func exposures() throws {
    let token = services.onSelection(of: Flags.self) { seen.add($0) }
    let banner = FlagKey("banner", default: "none")
    #expect(services.flag(banner, in: Buyer()) == "blue")
    #expect(services.evaluation(of: banner, in: Buyer(country: "FR")).value == "red")
    #expect(services.makeScope("request").flag(FlagKey("on", default: false), in: Buyer()))
    _ = try services.get((any Checkout).self, in: Buyer())
    #expect(
      seen.elements.map(\.description) == [
        "blue at banner: rule", "red at banner: fallback", "on at on: fallback",
      ])
    let last = try #require(seen.last)
    #expect([last.service, last.tag, last.identifier, last.injector] == ["Flags", nil, nil, "services/request"])
    token.cancel()
    _ = services.flag(banner, in: Buyer())
    #expect(seen.count == 3)
  }

  @Test("is exposed together with choices, for whom the filter says, once for each variant of each flag")
  func filter() throws {
    let token = services.onSelection(.once(per: \Buyer.id)) { seen.add($0) }
    for _ in 0..<2 {
      _ = services.flag(FlagKey("banner", default: ""), in: Buyer())
      _ = services.flag(FlagKey("on", default: false), in: Buyer())
      _ = services.flag(FlagKey("on", default: false), in: FlagAttributes(targetingKey: "p-17"))
      _ = try services.get((any Checkout).self, in: Buyer())
    }
    #expect(
      seen.elements.map(\.description) == [
        "blue at banner for \"p-17\": rule", "on at on for \"p-17\": fallback",
        "one-click at checkout for \"p-17\": rule",
      ])
    token.cancel()
  }

  @Test("is not exposed where the caller's default counts, in rules and explanations, and in an isolated test")
  func others() throws {
    let token = services.onSelection(of: Flags.self) { seen.add($0) }
    _ = services.flag(FlagKey("off", default: false), in: Buyer())
    _ = services.flag(FlagKey("on", default: "text"), in: Buyer())
    _ = services.evaluation(of: FlagKey("none", default: false), in: Buyer())
    _ = services.explainFlag("on", in: Buyer())
    _ = try services.get((any Checkout).self, in: Buyer())
    withIsolatedInjectors { #expect(services.flag(FlagKey("on", default: false), in: Buyer())) }
    #expect(seen.elements == [])
    token.cancel()
  }
}
