import Plug
import PlugFlags

private struct Buyer: ListedFlagContext {
  var id = "a buyer whose id needs memory"
  var country = "DE"
  var email = "lou.of.the.long.name@example.com"
  var appVersion = "4.2.0"

  static let flagAttributes = FlagAttributeList<Buyer>(
    targetingKey: \.id, [.init("country", \.country), .init("email", \.email), .init("appVersion", \.appVersion)])
}

extension Allocations {
  /// Flags whose targeting has a clause of each kind that gates have.
  static func countAllocationsOfFlags(_ check: inout Check) throws {
    let services = Injector("flags")
    try services.register(injectable: .singleton(HTTPNetwork() as any Network))
    try services.register(
      PluginPoint<any Network, Buyer>("gated") { Candidate("flagged") { HTTPNetwork() }.when(.flag("gate")) })
    try services.seal()
    services[Flags.self] = try FlagDocument(
      """
      {"flags": {
        "gate": {"state": "ENABLED", "variants": {"true": true, "false": false}, "defaultVariant": "false", "targeting":
          {"and": [
            {"in": [{"var": "country"}, ["AT", "DE"]]},
            {"sem_ver": [{"var": "appVersion"}, ">=", "4.1.0"]},
            {"ends_with": [{"var": "email"}, "@example.com"]},
            {"in": [{"fractional": [["on", 25], ["off", 75]]}, ["on", "off"]]}
          ]}},
        "text": {"state": "ENABLED", "variants": {"DE-lou.of.the.long.name@example.com": 1}, "targeting":
          {"cat": [{"var": "country"}, "-", {"var": "email"}]}}
      }}
      """)
    let (key, text, buyer) = (FlagKey("gate", default: false), FlagKey("text", default: 0), Buyer())
    check.allocations(of: "flag of four clauses", are: 0) { use(services.flag(key, in: buyer)) }
    try check.allocations(of: "get by a flag of four clauses", are: 2) {  // 0
      use(try services.get((any Network).self, in: buyer))
    }
    check.allocations(of: "flag whose targeting makes a text of three", are: 1) { use(services.flag(text, in: buyer)) }
  }
}
