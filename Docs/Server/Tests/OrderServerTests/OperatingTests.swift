import Foundation
import HTTPTypes
import InMemoryLogging
import Logging
import OrderServer
import Plug
import PlugOperations
import Testing

@Suite(.timeLimit(.minutes(5))) struct OperatingTests {
  private static let operators: HTTPFields = [.authorization: "Bearer secret"]
  private static let path = "/switches/shipping/parcel"

  @Test func `Nobody switches or reads the report without the token`() async throws {
    try await TestShop().serving { client async throws in
      for operators in [[:], [.authorization: "Bearer guess"]] as [HTTPFields] {
        #expect(try await client.get("/report", as: operators).status == 401)
        #expect(try await client.get("/switches", as: operators).status == 401)
        #expect(try await client.put(Self.path, "{}", as: operators).status == 401)
        #expect(try await client.delete(Self.path, as: operators).status == 401)
      }
    }
  }

  @Test func `A candidate is disabled and restored while the server runs, and the report says so`() async throws {
    let shop = try TestShop()
    try await shop.serving { client async throws in
      let body = #"{"action":"forced","reason":"INC-7"}"#
      let switched = try await client.put("/switches/shipping/free", body, as: Self.operators)
      let list = try JSONDecoder().decode(Switches.self, from: Data(switched.body.utf8)).list
      #expect(list.map { "\($0.candidate) at \($0.point): \($0.action.rawValue)" } == ["free at shipping: forced"])
      #expect(list == shop.services[Switches.self].list)
      #expect(try await client.get("/products/1/quote").body.contains(#""shipping":"free""#))
      let report = try await client.get("/report", as: Self.operators)
      let decoded = try JSONDecoder().decode(InjectorReport.self, from: Data(report.body.utf8))
      #expect((decoded.injector, decoded.state, decoded.switches) == ("orders", .sealed, list))
      #expect(try await client.delete("/switches/shipping/free", as: Self.operators) == Answer(200, "[]"))
      #expect(try await client.get("/products/1/quote").body.contains(#""shipping":"parcel""#))
    }
  }

  @Test func `A candidate that is not there is not found, and the nearest is named`() async throws {
    try await TestShop().serving { client async throws in
      let body = #"{"action":"disabled","reason":"INC-7"}"#
      #expect(
        try await client.put("/switches/shipping/parcels", body, as: Self.operators)
          == Answer(
            404,
            """
            {"error":{"message":"There is no candidate parcels at shipping. Did you mean parcel at shipping?"}}
            """))
    }
  }

  @Test func `An explanation is JSON for clients that accept JSON`() async throws {
    try await TestShop().serving { client async throws in
      let answer = try await client.get("/explain/shipping", as: [.accept: "application/json"])
      let explanation = try JSONDecoder().decode(Explanation.self, from: Data(answer.body.utf8))
      #expect(explanation.selected == "parcel")
      let object = try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any]
      #expect(object?["selected"] as? String == "parcel")
    }
  }

  @Test func `Selections are log lines`() async throws {
    let shop = try TestShop()
    var handler = InMemoryLogHandler()
    handler.logLevel = .info
    let token = shop.services.logSelections(to: Logger(label: "orders", factory: { [handler] _ in handler }))
    try await shop.serving { client async throws in
      _ = try await client.get("/products/1/quote", as: .shopper("ada"))
    }
    let lines = handler.entries.map { entry in
      "\(entry.message) " + entry.metadata.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: " ")
    }
    #expect(lines == ["selected candidate=parcel point=shipping reason=rule shopper=ada"])
    withExtendedLifetime(token) {}
  }
}
