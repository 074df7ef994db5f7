@_spi(_Unicode) import Swift

/// A candidate's part in a weighted draw among several candidates.
///
/// The draw is weighted rendezvous hashing: each candidate draws a number for the identifier, exponentially distributed
/// with its weight as the rate, and the least number wins (Schindelhauer and Schomaker, "Weighted distributed hash
/// tables", SPAA 2005). So adding or removing a candidate moves only the identifiers that it wins or has won.
///
/// The number depends only on the point, the candidate and the identifier, and is the same on every platform: it is
/// computed with operations whose results IEEE 754 defines to the last bit.
struct Draw: Sendable {
  let weight: Double
  let identifier: @Sendable (ContextReference) -> String
  /// Identifies the property, so that a choice reads each property once.
  let property: any AnyKeyPath & Sendable
  var assignments: Assignments?

  init<Context>(_ weight: Double, by identity: Identity<Context>) {
    self.weight = weight
    property = identity.property
    identifier = { context in context.open(as: Context.self) { identity.value($0) } ?? "" }
  }
}

/// Finds and sets the id of the candidate that an identifier keeps at a point.
package typealias Assignments = (
  find: @Sendable (_ identifier: String, _ point: String) -> String?,
  set: @Sendable (_ candidate: String, _ identifier: String, _ point: String) -> Void
)

/// The numbers with which a candidate takes part in draws, apart from what has to be retained.
struct Lot: Sendable {
  /// Candidates are drawn among those of one priority.
  let priority: Int
  /// Whether an identifier keeps the candidate that it has drawn.
  let isSticky: Bool
  /// The reciprocal of the weight.
  private let mean: Double
  /// Distinguishes the candidate from others.
  private let seed: UInt64

  init(_ draw: Draw, of candidate: String, _ priority: Int, at point: String) {
    (self.priority, isSticky, mean) = (priority, draw.assignments != nil, 1 / draw.weight)
    seed = drawHash(of: "\(point.escapingColons):\(candidate.escapingColons)")
  }

  /// The number that the candidate draws, or infinity if it is certainly greater than the least number so far.
  ///
  /// - Parameter hash: The hash of the identifier.
  func number(for hash: UInt64, below least: Double) -> Double {
    let part = unitInterval(mixed(hash << 32 | seed))
    // A lower bound of the logarithm, which is enough for most candidates.
    let bound = (1 - part) * mean
    if bound > least { return .infinity }
    return max(bound, negativeLogarithm(part) * mean)
  }
}

/// The hash of a string for draws.
func drawHash(of text: String) -> UInt64 {
  var hash = MurmurHash3()
  hash.combine(text.normalized)
  return UInt64(hash.finalize())
}

extension String {
  fileprivate var escapingColons: String {
    reduce(into: "") { text, character in
      if character == ":" || character == "\\" { text.append("\\") }
      text.append(character)
    }
  }

  /// The text in normalization form C (Unicode Standard Annex 15), in which equal strings have equal bytes.
  var normalized: String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return self }
    var text = ""
    for scalar in _nfc { text.unicodeScalars.append(scalar) }
    return text
  }
}
