import Hummingbird
import Logging
import OrderServer
import Plug
import PlugHummingbird
import Shop
import Testing
import Web

@Suite(.timeLimit(.minutes(5))) struct RequestScopeTests {
  /// A scoped object, which records the end of its scope.
  private final class Witness: Sendable {}

  private struct Failure: Error {}

  private let events = Events()
  private let shop: TestShop

  init() throws {
    let events = events
    shop = try TestShop { services in
      try services.register(.scoped { Witness() }.onClose { _ in events.note("closed") })
    }
  }

  @Test func `A scope ends when the streamed body has been written, and is the current one until then`() async throws {
    let answer = try await shop.serving(addRoutes: { router in
      router.get("stream") { _, _ in
        let witness = try Injector.request.get(Witness.self)
        events.note("handled")
        return Response(
          status: .ok,
          body: ResponseBody { writer in
            for part in ["a", "b"] {
              try await writer.write(ByteBuffer(string: part))
              events.note("wrote \(part)")
            }
            let current = try Injector.request.get(Witness.self)
            #expect(current === witness)
            try await writer.finish(nil)
            events.note("finished")
          })
      }
    }) { try await $0.get("/stream") }
    #expect(answer == Answer(200, "ab"))
    #expect(await events.until("closed") == ["handled", "wrote a", "wrote b", "finished", "closed"])
  }

  @Test func `A scope ends when the body cannot be written`() async throws {
    await #expect(throws: (any Error).self) {
      try await shop.serving(addRoutes: { router in
        router.get("stream") { _, _ in
          _ = try Injector.request.get(Witness.self)
          return Response(
            status: .ok,
            body: ResponseBody { writer in
              try await writer.write(ByteBuffer(string: "a"))
              events.note("failed")
              throw Failure()
            })
        }
      }) { try await $0.get("/stream") }
    }
    #expect(await events.until("closed") == ["failed", "closed"])
  }

  @Test func `What a handler has not committed when it throws is rolled back, and logged`() async throws {
    let answer = try await shop.serving(addRoutes: { router in
      router.get("fail") { _, _ -> String in
        let scope = try Injector.request
        _ = try scope.get(Witness.self)
        try scope.get(UnitOfWork.self).add { try $0.execute(sql: "DELETE FROM product") }
        throw Failure()
      }
    }) { client async throws in
      let answer = try await client.get("/fail", as: .shopper("eve"))
      #expect(await events.until("closed") == ["closed"])
      #expect(try await client.get("/products/1/quote").status == 200)
      return answer
    }
    #expect(answer == Answer(500, ""))
    #expect(shop.logs.entries.map(\.message) == ["failed", "rolled back"])
    let rollback = try #require(shop.logs.entries.last { $0.message == "rolled back" })
    #expect(rollback.metadata["changes"] == "1")
    #expect(rollback.metadata["shopper"] == "eve")
    #expect(rollback.metadata["hb.request.id"] != nil)
    #expect(shop.units.made == 1 && shop.units.alive == 0)
  }

  @Test func `If one change of a unit of work fails, none is made`() async throws {
    let body = #"{"product":3,"quantity":2}"#
    try await shop.serving { client async throws in
      #expect(try await client.post("/orders", body).status == 201)
      #expect(
        try await client.post("/orders", body)
          == Answer(409, #"{"error":{"message":"Product 3 is out of stock."}}"#))
      #expect(try await client.post("/orders", #"{"product":3,"quantity":1}"#).status == 201)
    }
    #expect(try shop.storedOrders().map(\.quantity) == [2, 1])
    #expect(shop.units.made == 3 && shop.units.alive == 0)
  }

  @Test func `A change that comes after the end of the request is refused`() async throws {
    try await shop.services.start()
    let unit = try await shop.services.withScope { try $0.get(UnitOfWork.self) }
    #expect(throws: (any Error).self) { try unit.add { _ in } }
    await #expect(throws: (any Error).self) { try await unit.commit() }
    await shop.services.close()
  }
}
