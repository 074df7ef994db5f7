/// Stands for what a server connects to.
actor Database {
  private(set) var isConnected = true

  static func connect(to host: String) async throws -> Database {
    print("connected to \(host)")
    return Database()
  }

  func rows() -> [String] { ["one", "two"] }

  func disconnect() {
    isConnected = false
    print("disconnected")
  }
}
