/// A candidate's part in the drawing of one of several by weight.
///
/// The draw is weighted rendezvous hashing: each candidate draws a number for the identifier, exponentially distributed
/// with its weight as the rate, and the least wins (Schindelhauer and Schomaker, "Weighted distributed hash tables",
/// SPAA 2005). So a candidate that comes or goes moves only the identifiers that it wins or has won.
///
/// The number depends on the point, the candidate and the identifier alone, and is the same on every platform: it is
/// computed with operations whose results IEEE 754 defines to the last bit.
@usableFromInline
struct Draw<Context: Sendable>: Sendable {
  let weight: Double
  let path: any KeyPath<Context, String> & Sendable
  private let identifier: StoredProperty<Context, String>

  /// One over the weight.
  private let mean: Double

  /// Tells the candidate from others, once it is known what point it is in.
  private var seed: UInt64 = 0

  init(_ weight: Double, by identifier: any KeyPath<Context, String> & Sendable) {
    self.weight = weight
    mean = 1 / weight
    path = identifier
    self.identifier = StoredProperty(identifier)
  }

  /// The same of the candidate of an id in a point.
  func seeded(_ candidate: String, in point: String) -> Draw {
    var hash = MurmurHash3()
    hash.combine(point)
    hash.combine(":")
    hash.combine(candidate)
    var draw = self
    draw.seed = UInt64(hash.finalize())
    return draw
  }

  func text(of context: Context) -> String { identifier(context) }

  /// The number that the candidate draws, if it is less than the least so far.
  @usableFromInline
  func number(for context: Context, below least: Double, _ last: inout IdentifierHash) -> Double? {
    if last.path !== path {
      var hash = MurmurHash3()
      hash.combine(identifier(context))
      last = IdentifierHash(path: path, hash: UInt64(hash.finalize()))
    }
    let part = unitInterval(mixed(last.hash << 32 | seed))
    // The logarithm is no less than this, and most candidates need no better.
    let bound = (1 - part) * mean
    if bound >= least { return nil }
    let number = max(bound, negativeLogarithm(part) * mean)
    return number < least ? number : nil
  }
}

/// The hash of the identifier that was drawn for last.
@usableFromInline
struct IdentifierHash {
  fileprivate var path: AnyKeyPath?
  fileprivate var hash: UInt64 = 0

  fileprivate init(path: AnyKeyPath?, hash: UInt64) {
    self.path = path
    self.hash = hash
  }

  @usableFromInline
  init() {}
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
  var exponent = Double(value.exponent)
  var significand = value.significand
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
