/// The level of an account.
enum Tier: String, Sendable {
  case standard
  case premium
}

extension Tier: Decodable {
  /// Decodes a tier from its name.
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let tier = Tier(rawValue: name) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\"\(name)\" is neither \"standard\" nor \"premium\"")
    }
    self = tier
  }
}
