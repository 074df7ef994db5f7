import HTTPTypes
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(20))) struct LoadTests {
  @Test func `Requests are answered while the promotion changes, and nothing of them stays`() async throws {
    let shop = try TestShop()
    let early = Rounds.requests / 10
    let (changes, memory) = try await shop.serving { client in
      let isOver = Flag()
      async let changes = Self.changePromotion(client, until: isOver)
      try await Self.send(early, to: client.port)
      let before = residentMemory()
      try await Self.send(Rounds.requests - early, to: client.port)
      let memory = residentMemory() - before
      isOver.set()
      return (try await changes, memory)
    }
    #expect(shop.logs.entries.map(\.message) == [])
    #expect(try shop.storedOrders().count == shop.units.made)
    #expect(shop.units.alive == 0)
    #expect(memory < 8 << 20)
    print("load: \(Rounds.requests) requests, \(changes) changes, \(memory >> 10) KiB more after the first tenth")
  }

  /// Changes the promotion until the load is over, and returns how often.
  private static func changePromotion(_ client: Client, until isOver: Flag) async throws -> Int {
    var changes = 0
    while !isOver.isSet {
      let stage = ["off", "trial", "everyone"][changes % 3]
      #expect(try await client.put("/promotion", #"{"stage":"\#(stage)"}"#).status == 200)
      changes += 1
    }
    return changes
  }

  /// Sends requests over several connections: one in ten orders something, the others ask for a quote.
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
