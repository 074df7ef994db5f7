/// Stands for what a server connects to.
actor Database {
  struct Disconnected: Error {}

  private var isConnected = true

  static func connect(to host: String) async throws -> Database {
    print("connecting to \(host)")
    // A connection takes its time, in which a server that did not wait would take requests.
    for _ in 0..<1000 { await Task.yield() }
    print("connected")
    return Database()
  }

  func rows() throws -> [String] {
    guard isConnected else { throw Disconnected() }
    return ["one", "two"]
  }

  func disconnect() {
    isConnected = false
    print("disconnected")
  }
}
