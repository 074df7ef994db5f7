import HTTPTypes
import Hummingbird
import HummingbirdTesting

/// A response: the status, and the body as text.
struct Answer: Equatable, CustomStringConvertible {
  let status: Int
  let body: String

  init(_ status: Int, _ body: String) {
    self.status = status
    self.body = body
  }

  var description: String { "\(status) \(body)" }
}

/// A connection to a server.
struct Client: Sendable {
  let port: Int
  private let connection: TestClient

  /// Connects to a server on this machine while a closure runs.
  static func connected<Value: Sendable>(
    to port: Int, _ body: @escaping @Sendable (Client) async throws -> Value
  ) async throws -> Value {
    try await TestClient.withClient(host: "127.0.0.1", port: port) { connection in
      try await body(Client(port: port, connection: connection))
    }
  }

  func get(_ uri: String, as shopper: HTTPFields = [:]) async throws -> Answer {
    try await send(.get, uri, shopper, nil)
  }

  func post(_ uri: String, _ body: String, as shopper: HTTPFields = [:]) async throws -> Answer {
    try await send(.post, uri, shopper, body)
  }

  func put(_ uri: String, _ body: String, as operator: HTTPFields = [:]) async throws -> Answer {
    try await send(.put, uri, `operator`, body)
  }

  func delete(_ uri: String, as operator: HTTPFields) async throws -> Answer {
    try await send(.delete, uri, `operator`, nil)
  }

  private func send(
    _ method: HTTPRequest.Method, _ uri: String, _ headers: HTTPFields, _ body: String?
  ) async throws -> Answer {
    let response = try await connection.execute(
      TestClient.Request(
        uri, method: method, authority: "localhost", headers: headers, body: body.map(ByteBuffer.init(string:))))
    return Answer(response.status.code, response.body.map { String(buffer: $0) } ?? "")
  }
}

extension HTTPFields {
  /// The headers of a shopper.
  static func shopper(
    _ id: String = "ada", country: String? = nil, version: String? = nil, tier: String? = nil
  ) -> HTTPFields {
    var fields = HTTPFields()
    for (name, value) in [("Shopper-ID", id), ("Country", country), ("App-Version", version), ("Tier", tier)] {
      if let name = HTTPField.Name(name) { fields[name] = value }
    }
    return fields
  }
}
