import Hummingbird

/// A value that is the body of a response, in JSON.
struct JSON<Value: Encodable & Sendable>: ResponseEncodable, Sendable {
  private let value: Value

  init(_ value: Value) {
    self.value = value
  }

  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
