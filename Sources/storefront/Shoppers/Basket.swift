/// The goods that a shopper is about to buy.
struct Basket: Sendable, Equatable {
  /// The price of all goods, in euro cents.
  let totalInCents: Int

  /// The weight of all goods, in grams.
  let weightInGrams: Int
}

extension Basket: Decodable {
  private enum CodingKeys: CodingKey {
    case totalInCents
    case weightInGrams
  }

  /// Decodes a basket. Its amounts are whole numbers within bounds that keep price calculations from overflowing.
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    totalInCents = try container.decodeAmount(forKey: .totalInCents)
    weightInGrams = try container.decodeAmount(forKey: .weightInGrams)
  }
}

extension KeyedDecodingContainer {
  fileprivate func decodeAmount(forKey key: Key) throws -> Int {
    // Decoded as an Int, a fraction would be reported without its place in the file.
    let number = try decode(Double.self, forKey: key)
    guard let amount = Int(exactly: number), (0...1_000_000_000).contains(amount) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "\(number) is not a whole number from 0 to 1000000000")
    }
    return amount
  }
}
