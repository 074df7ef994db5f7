import Hummingbird

/// A value as the body of an answer, in JSON.
struct JSON<Value: Encodable & Sendable>: ResponseEncodable, Sendable {
  private let value: Value

  init(_ value: Value) {
    self.value = value
  }

  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
