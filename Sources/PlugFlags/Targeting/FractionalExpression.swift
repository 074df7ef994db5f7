import Plug

/// `fractional`: chooses a value by the bucket of the targeting key.
///
/// The default bucketing value is the flag key with the targeting key. If anything is wrong, the result is null.
final class FractionalExpression: Expression {
  private let operands: [any Expression]

  /// The shares, if they are constants in the document.
  private let known: FractionalShares?

  /// Whether the first operand is, or may be, the bucketing value.
  private let hasSeed: Bool
  var name: String { "fractional" }

  init(_ operands: [any Expression]) {
    self.operands = operands
    hasSeed = !operands.isEmpty && operands[0].arrayElements == nil
    let shares = operands.dropFirst(hasSeed ? 1 : 0)
    let values = shares.compactMap(\.constant)
    var problems: [String] = []
    known = values.count < shares.count ? nil : FractionalShares(values, &problems)
  }

  func evaluate(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
    let seed = hasSeed ? try operands[0].read(in: context, &state) : nil
    guard let hash = hash(seed, context, state) else { return .null }
    var values: [FlagValue] = []
    if let seed, case .array = seed { values = [seed] }
    if let known, values.isEmpty, state.recorder == nil { return known.value(for: hash) }
    for operand in operands.dropFirst(hasSeed ? 1 : 0) { values.append(try operand.value(in: context, &state)) }
    var problems: [String] = []
    guard let shares = FractionalShares(values, &problems) else { return .null }
    state.recorder?.remark("bucket \(shares.bucket(of: hash)) of \(shares.total), \(state.version)")
    return shares.value(for: hash)
  }

  private func hash<Context: FlagContext>(
    _ seed: FlagValue?, _ context: Context, _ state: EvaluationState
  ) -> UInt32? {
    let hashing = state.version.hashing
    var hash = MurmurHash3()
    switch (seed, state.version) {
    // An array is not a bucketing value, but the first share.
    case (nil, _), (.array, _), (.null, .v2):
      guard let key = VariablePath.targetingKey(of: context), !key.isEmpty else { return nil }
      return hashing.hash(of: key, after: state.flagHash)
    case (.string(let text), _): return hashing.hash(of: text, after: hash)
    case (_, .v2), (.null, .v3): return nil
    case (let value?, .v3): hash.combine(cbor: value)
    }
    return hash.finalize()
  }
}

/// The values of `fractional` with their weights.
final class FractionalShares: Sendable {
  /// The sum of the weights: at most 2³¹ − 1.
  let total: UInt32

  private let values: [FlagValue]
  private let ends: [UInt32]

  /// - Parameters:
  ///   - shares: Arrays of a value and a weight. A missing or null weight is 1, as in Go's implementation.
  ///   - problems: Receives the problems of the shares.
  /// - Returns: `nil` if there are no shares, or one of them is invalid.
  init?(_ shares: [FlagValue], _ problems: inout [String]) {
    var (values, ends, total) = ([FlagValue](), [UInt32](), 0.0)
    for share in shares {
      guard case .array(let parts) = share, let value = parts.first else {
        problems.append(OperandCheck.problem(share, "is not a variant with a weight, such as [\"on\", 25]"))
        continue
      }
      if case .array = value { problems.append(OperandCheck.problem(value, "cannot be the name of a variant")) }
      if case .object = value { problems.append(OperandCheck.problem(value, "cannot be the name of a variant")) }
      switch parts.count > 1 ? parts[1] : .null {
      case .null: total += 1
      case .number(let weight) where weight == weight.rounded(): total += max(0, weight)
      case let weight: problems.append("the weight \(weight) of \(value) is not a whole number")
      }
      values.append(value)
      ends.append(UInt32(min(total, Double(Int32.max))))
    }
    if total > Double(Int32.max) { problems.append("the weights are more than 2147483647 together") }
    guard problems.isEmpty, let last = ends.last else { return nil }
    (self.values, self.ends, self.total) = (values, ends, last)
  }

  /// The bucket of a hash, as flagd computes it: from the whole hash, in 64 bits.
  func bucket(of hash: UInt32) -> UInt32 {
    UInt32(truncatingIfNeeded: (UInt64(hash) * UInt64(total)) >> 32)
  }

  /// The value whose share has the bucket of a hash; null if all weights are 0.
  func value(for hash: UInt32) -> FlagValue {
    let bucket = bucket(of: hash)
    return ends.firstIndex { bucket < $0 }.map { values[$0] } ?? .null
  }
}
