import InMemoryLogging
import Logging
import Plug
import PlugFlags
import PlugKeys
import PlugOpenTelemetry
import PlugOperations
import Testing

@Suite struct OpenTelemetryTests {
  private let services: Injector
  private let handler = InMemoryLogHandler()
  private let logger: Logger

  init() throws {
    services = try .shop()
    logger = Logger(label: "shop", factory: { [handler] _ in handler })
    services[Flags.self] = try FlagDocument(
      """
      {"flags": {"new-checkout": {
        "state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
        "targeting": {"if": [{"==": [{"var": "country"}, "DE"]}, "on"]},
        "metadata": {"flagSetId": "staff"}
      }}, "metadata": {"version": "7"}}
      """)
  }

  private func event(_ attributes: Logger.Metadata) -> InMemoryLogHandler.Entry {
    let common: Logger.Metadata = ["event.name": "feature_flag.evaluation", "feature_flag.provider.name": "plug"]
    return InMemoryLogHandler.Entry(
      level: .info, message: "feature_flag.evaluation", metadata: common.merging(attributes) { $1 })
  }

  private func event(_ key: String, _ variant: String, _ reason: String, _ id: String?) -> InMemoryLogHandler.Entry {
    var attributes: Logger.Metadata = [
      "feature_flag.key": "\(key)", "feature_flag.result.variant": "\(variant)",
      "feature_flag.result.reason": "\(reason)",
    ]
    if let id { attributes["feature_flag.context.id"] = "\(id)" }
    return event(attributes)
  }

  @Test func `Each choice and each flag that code reads is an event, without empty attributes`() throws {
    let token = services.logEvaluations(by: \Shopper.id, to: logger)
    let key = FlagKey("new-checkout", default: false)
    for country in ["DE", "NL", "FR"] {
      let shopper = Shopper(id: country == "NL" ? "" : "ada", country: country)
      _ = try services.get((any Search).self, in: shopper)
      #expect(services.flag(key, in: shopper) == (country == "DE"))
    }
    try services.force("semantic", at: "search", because: "INC-7")
    _ = try services.get((any Search).self, in: Shopper(id: "ada"))
    token.cancel()
    _ = try services.get((any Search).self, in: Shopper(id: "ada"))
    #expect(
      handler.entries == [
        event("search", "semantic", "targeting_match", "ada"),
        event("new-checkout", "on", "targeting_match", "ada"),
        event("search", "remote", "split", nil),
        event("new-checkout", "off", "default", nil),
        event("Search", "default", "default", "ada"),
        event("new-checkout", "off", "default", "ada"),
        event("search", "semantic", "static", "ada"),
      ])
  }

  @Test func `The events of one service are logged alone`() throws {
    let token = services.logEvaluations(of: (any Search).self, by: \Shopper.id, to: logger)
    let shopper = Shopper(id: "ada", country: "DE")
    _ = services.flag(FlagKey("new-checkout", default: false), in: shopper)
    _ = try services.get((any Search).self, in: shopper)
    #expect(handler.entries == [event("search", "semantic", "targeting_match", "ada")])
    token.cancel()
  }

  @Test func `An evaluation is an event with the set and the version of its flag, or with its error`() {
    let shopper = Shopper(id: "ada", country: "DE")
    let evaluation = services.evaluation(of: FlagKey("new-checkout", default: false), in: shopper)
    logger.logEvaluation(evaluation, of: "new-checkout", for: shopper.id)
    logger.logEvaluation(services.evaluation(of: FlagKey("none", default: 1), in: shopper), of: "none", for: nil)
    #expect(
      handler.entries == [
        event([
          "feature_flag.key": "new-checkout", "feature_flag.result.variant": "on",
          "feature_flag.result.reason": "targeting_match", "feature_flag.context.id": "ada",
          "feature_flag.set.id": "staff", "feature_flag.version": "7",
        ]),
        event([
          "feature_flag.key": "none", "feature_flag.result.value": "1", "feature_flag.result.reason": "error",
          "feature_flag.version": "7", "error.type": "flag_not_found",
          "feature_flag.error.message": "the document has no flag \"none\"",
        ]),
      ])
  }
}
