import Plug
import PlugKeys

/// Finds constant operands with which an operator of flagd can only return null.
enum OperandCheck {
  /// The problems of an operator's operands.
  static func problems(
    of operation: Operator, _ operands: [any Expression], for fractionals: FractionalVersion
  ) -> [String] {
    switch operation {
    case .version: version(operands)
    case .prefix, .suffix: affix(operands)
    case .fractional: fractional(operands, fractionals)
    default: []
    }
  }

  @inline(never)
  static func problem(_ value: FlagValue, _ text: String) -> String { "\(value) \(text)" }

  private static func version(_ operands: [any Expression]) -> [String] {
    guard operands.count == 3 else { return ["it takes a version, an operator and a version, not \(operands.count)"] }
    var problems: [String] = []
    if let comparison = operands[1].constant, VersionComparison(comparison) == nil {
      problems.append("operator \(comparison) is unknown; one of = != < <= > >= ^ ~")
    }
    for place in [0, 2] {
      guard let value = operands[place].constant, SemanticVersion(value) == nil else { continue }
      problems.append(problem(value, "is not a semantic version, such as 1.2.3"))
    }
    return problems
  }

  private static func affix(_ operands: [any Expression]) -> [String] {
    guard operands.count == 2 else { return ["it takes two strings, not \(operands.count)"] }
    return operands.compactMap(\.constant).compactMap {
      if case .string = $0 { nil } else { problem($0, "is not a string") }
    }
  }

  private static func fractional(_ operands: [any Expression], _ version: FractionalVersion) -> [String] {
    let hasSeed = operands.first?.arrayElements == nil
    if hasSeed, let seed = operands.first?.constant {
      switch (seed, version) {
      case (.null, .v3): return ["the bucketing value is null, and so is the result"]
      case (.null, .v2), (.string, _), (_, .v3): break
      default: return ["the bucketing value \(seed) is not a string"]
      }
    }
    let shares = operands.dropFirst(hasSeed ? 1 : 0)
    if shares.isEmpty { return ["it has no variants with weights, such as [\"on\", 25]"] }
    var problems: [String] = []
    _ = FractionalShares(shares.compactMap(\.constant), &problems)
    return problems
  }
}
