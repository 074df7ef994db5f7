import Foundation
import Shop
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(20))) struct SignalTests {
  @Test func `SIGTERM at any moment of a load loses no acknowledged order, and invents none`() async throws {
    var orders = 0
    for _ in 0..<Rounds.signals {
      let server = try await ServerProcess()
      let (acknowledged, status) = await withTaskGroup { group in
        for _ in 0..<4 {
          group.addTask { await Self.order(from: server) }
        }
        try? await Task.sleep(for: .microseconds(.random(in: 0...100_000)))
        let status = await server.terminate()
        return (await group.reduce(into: Set<String>()) { $0.formUnion($1) }, status)
      }
      #expect(status == 0)
      #expect(try Set(Order.all(at: server.database).map(\.id)) == acknowledged)
      orders += acknowledged.count
    }
    print("SIGTERM: \(Rounds.signals) times, \(orders) orders acknowledged and stored")
  }

  @Test func `After SIGTERM the server says that it drains, takes orders for a while, and ends`() async throws {
    let server = try await ServerProcess(drain: 1)
    try await Client.connected(to: server.port) { client in
      while try await client.get("/health") != Answer(200, "serving") {}
      server.signal()
      while try await client.get("/health") != Answer(503, "draining") {}
      #expect(try await client.post("/orders", #"{"product":1,"quantity":1}"#).status == 201)
    }
    #expect(await server.terminate() == 0)
    #expect(try Order.all(at: server.database).count == 1)
  }

  /// Sends orders until the server has stopped, and returns the orders that were acknowledged.
  private static func order(from server: ServerProcess) async -> Set<String> {
    let acknowledged = Mutex<Set<String>>([])
    try? await Client.connected(to: server.port) { client in
      while true {
        let answer = try await client.post("/orders", #"{"product":1,"quantity":1}"#)
        // Before the server has started, it responds that it is unavailable.
        if answer.status == 503 { continue }
        #expect(answer.status == 201, "\(server.log)")
        let order = try JSONDecoder().decode(Order.self, from: Data(answer.body.utf8))
        acknowledged.withLock { _ = $0.insert(order.id) }
      }
    }
    return acknowledged.withLock { $0 }
  }
}
