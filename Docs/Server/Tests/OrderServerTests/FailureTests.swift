import Hummingbird
import OrderServer
import Plug
import PlugHummingbird
import Testing
import Web

@Suite(.timeLimit(.minutes(5))) struct FailureTests {
  /// A service whose factory fails.
  private struct Fragile: Sendable {}

  /// A service that is not registered.
  private struct Forgotten: Sendable {}

  @Test func `An error of the server is logged, and not shown to the client`() async throws {
    struct Secret: Error {}
    let shop = try TestShop { services in
      try services.register(.scoped { () throws -> Fragile in throw Secret() })
    }
    try await shop.serving(addRoutes: { router in
      router.get("fragile") { _, _ in "\(try Injector.request.get(Fragile.self))" }
      router.get("forgotten") { _, _ in "\(try Injector.request.get(Forgotten.self))" }
    }) { client async throws in
      #expect(try await client.get("/fragile") == Answer(500, ""))
      #expect(try await client.get("/forgotten") == Answer(500, ""))
    }
    #expect(shop.logs.entries.map(\.message) == ["failed", "failed"])
    #expect(shop.logs.entries.map { $0.metadata["path"] } == ["/fragile", "/forgotten"])
    let headlines = shop.logs.entries.map { "\($0.metadata["error"] ?? "")".split(separator: "\n").first }
    #expect(
      headlines == [
        "Fragile could not be made: Secret()",
        "get(FailureTests.Forgotten.self) failed: nothing is registered for Forgotten.",
      ])
  }
}
