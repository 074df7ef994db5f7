import HTTPTypes
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(20))) struct LoadTests {
  @Test func `Requests are answered while the promotion changes, and no unit of work stays`() async throws {
    let shop = try TestShop()
    let changes = try await shop.serving { try await Self.load($0, requests: Rounds.requests) }
    #expect(shop.logs.entries.map(\.message) == [])
    #expect(try shop.storedOrders().count == Rounds.requests / 10)
    #expect(shop.units.made == Rounds.requests / 10)
    #expect(shop.units.alive == 0)
    print("load: \(Rounds.requests) requests, \(changes) changes of the promotion")
  }

  // The server runs in a separate process, because the clients in this one need memory, too.
  @Test func `The memory of a server does not grow with its requests`() async throws {
    let server = try await ServerProcess()
    let early = Rounds.requests / 10
    let (before, after) = try await Client.connected(to: server.port) { client in
      while try await client.get("/health") != Answer(200, "serving") {}
      _ = try await Self.load(client, requests: early)
      let before = server.residentMemory
      _ = try await Self.load(client, requests: Rounds.requests - early)
      return (before, server.residentMemory)
    }
    #expect(await server.terminate() == 0)
    #expect(after - before < 8 << 20)
    print("memory: \(before >> 10) KiB after \(early) requests, \(after >> 10) KiB after \(Rounds.requests)")
  }

  /// Sends requests while the promotion changes, and returns the number of changes.
  private static func load(_ client: Client, requests: Int) async throws -> Int {
    let isOver = Flag()
    async let changes = changePromotion(client, until: isOver)
    try await send(requests, to: client.port)
    isOver.set()
    return try await changes
  }

  /// Changes the promotion until the load is over, and returns the number of changes.
  private static func changePromotion(_ client: Client, until isOver: Flag) async throws -> Int {
    var changes = 0
    while !isOver.isSet {
      let stage = ["off", "trial", "everyone"][changes % 3]
      #expect(try await client.put("/promotion", #"{"stage":"\#(stage)"}"#).status == 200)
      changes += 1
    }
    return changes
  }

  /// Sends requests over several connections: one in ten is an order, the others request a quote.
  private static func send(_ requests: Int, to port: Int) async throws {
    let connections = 8
    try await withThrowingTaskGroup { group in
      for connection in 0..<connections {
        group.addTask {
          try await Client.connected(to: port) { client in
            for request in stride(from: connection, to: requests, by: connections) {
              if request.isMultiple(of: 10) {
                #expect(try await client.post("/orders", #"{"product":1,"quantity":1}"#).status == 201)
              } else {
                let answer = try await client.get("/products/1/quote", as: Self.finn)
                #expect(Self.quotes.contains(answer))
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  // The trial picks this shopper.
  private static let finn = HTTPFields.shopper("finn", tier: "gold")

  private static let quotes = [("member", 2365), ("promotion", 1992)].map { pricing, goods in
    Answer(
      200,
      """
      {"delivery":0,"goods":\(goods),"pricing":"\(pricing)","product":1,"quantity":1,"shipping":"free","tax":0,\
      "total":\(goods)}
      """)
  }
}

private final class Flag: Sendable {
  private let value = Atomic(false)

  var isSet: Bool { value.load(ordering: .relaxed) }

  func set() {
    value.store(true, ordering: .relaxed)
  }
}
