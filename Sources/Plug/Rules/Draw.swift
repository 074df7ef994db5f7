/// A candidate's part in the drawing of one of several by weight.
///
/// The draw is weighted rendezvous hashing: each candidate draws a number for the identifier, exponentially distributed
/// with its weight as the rate, and the least wins (Schindelhauer and Schomaker, "Weighted distributed hash tables",
/// SPAA 2005). So a candidate that comes or goes moves only the identifiers that it wins or has won.
///
/// The number depends on the point, the candidate and the identifier alone, and is the same on every platform: it is
/// computed with operations whose results IEEE 754 defines to the last bit.
struct Draw<Context: Sendable>: Sendable {
  let weight: Double
  let path: any KeyPath<Context, String> & Sendable
  let identifier: StoredProperty<Context, String>

  init(_ weight: Double, by identifier: any KeyPath<Context, String> & Sendable) {
    self.weight = weight
    path = identifier
    self.identifier = StoredProperty(identifier)
  }
}

/// What a candidate draws with, in the order in which candidates are chosen.
@usableFromInline
struct Lot: Sendable {
  /// The place of the candidate, and its priority.
  let candidate: Int
  let priority: Int

  /// The number of the property that identifies the context.
  let identifier: Int

  /// One over the weight.
  private let mean: Double

  /// Tells the candidate from others.
  private let seed: UInt64

  /// - Parameter name: The ids of the point and of the candidate.
  init(_ candidate: Int, _ priority: Int, _ identifier: Int, weight: Double, name: String) {
    (self.candidate, self.priority, self.identifier) = (candidate, priority, identifier)
    mean = 1 / weight
    seed = drawHash(of: name)
  }

  /// The number that the candidate draws, if it is less than the least so far; else infinity.
  ///
  /// - Parameter hash: The hash of the identifier.
  func number(for hash: UInt64, below least: Double) -> Double {
    let part = unitInterval(mixed(hash << 32 | seed))
    // The logarithm is no less than this, and most candidates need no better.
    let bound = (1 - part) * mean
    if bound >= least { return .infinity }
    return max(bound, negativeLogarithm(part) * mean)
  }

  /// The candidate that draws the least, whether or not it applies, of all from a place on that have its priority.
  @usableFromInline
  static func winner(of lots: [Lot], from first: Int, for hash: UInt64) -> Int {
    var (winner, least, priority) = (first, Double.infinity, Int?.none)
    for lot in lots where lot.candidate >= first {
      if lot.candidate == first { priority = lot.priority }
      guard lot.priority == priority else { continue }
      let number = lot.number(for: hash, below: least)
      if number < least { (winner, least) = (lot.candidate, number) }
    }
    return winner
  }
}

/// The hash of a text, as draws use it.
@usableFromInline
func drawHash(of text: String) -> UInt64 {
  var hash = MurmurHash3()
  hash.combine(text)
  return UInt64(hash.finalize())
}

/// The finalizer of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
private func mixed(_ value: UInt64) -> UInt64 {
  var result = value &+ 0x9e37_79b9_7f4a_7c15
  result = (result ^ result >> 30) &* 0xbf58_476d_1ce4_e5b9
  result = (result ^ result >> 27) &* 0x94d0_49bb_1331_11eb
  return result ^ result >> 31
}

/// A number greater than 0 and at most 1.
private func unitInterval(_ bits: UInt64) -> Double {
  Double(bits >> 11 + 1) * 0x1p-53
}

/// The negative natural logarithm of a number greater than 0 and at most 1, to ten digits: by the series of the inverse
/// hyperbolic tangent, after the number has been brought between √½ and √2.
private func negativeLogarithm(_ value: Double) -> Double {
  let bits = value.bitPattern
  var exponent = Double(Int(bits >> 52) - 1023)
  var significand = Double(bitPattern: bits & 0x000f_ffff_ffff_ffff | 0x3ff0_0000_0000_0000)
  if significand > 1.414_213_562_373_095 {
    significand *= 0.5
    exponent += 1
  }
  let ratio = (significand - 1) / (significand + 1)
  let square = ratio * ratio
  let series = 1 + square * (1 / 3.0 + square * (1 / 5.0 + square * (1 / 7.0 + square * (1 / 9.0 + square / 11))))
  return -(exponent * 0.693_147_180_559_945_3 + 2 * ratio * series)
}

/// The reason why a candidate with a weight that is none never applies.
struct InvalidWeight: Error, CustomStringConvertible {
  let weight: Double
  var description: String { "\(shortest(weight)) is not a weight" }
}
