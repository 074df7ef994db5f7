import InMemoryLogging
import Logging
import Plug
import PlugLogging
import Testing

@Suite struct LoggingTests {
  @Test func `Each selection is a line with the identifier of its context`() throws {
    let (services, handler) = (try Injector.shop(), InMemoryLogHandler())
    let logger = Logger(label: "shop", factory: { _ in handler })
    let token = services.logSelections(by: \Shopper.id, to: logger)
    let named = services.logSelections(by: \Shopper.id, named: "shopper", to: logger)
    _ = try services.get((any Search).self, in: Shopper(id: "ada", country: "DE"))
    named.cancel()
    _ = try services.get((any Search).self, in: Shopper(id: "bo"))
    token.cancel()
    _ = try services.get((any Search).self, in: Shopper(id: "cleo"))
    #expect(
      handler.entries == [
        InMemoryLogHandler.Entry(
          level: .info, message: "selected",
          metadata: ["candidate": "semantic", "point": "search", "reason": "rule", "identifier": "ada"]),
        InMemoryLogHandler.Entry(
          level: .info, message: "selected",
          metadata: ["candidate": "semantic", "point": "search", "reason": "rule", "shopper": "ada"]),
        InMemoryLogHandler.Entry(
          level: .info, message: "selected",
          metadata: ["candidate": "default", "point": "Search", "reason": "fallback", "identifier": "bo"]),
      ])
  }
}
