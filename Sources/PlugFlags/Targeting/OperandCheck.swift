import Plug
import PlugKeys

/// Looks for operands of flagd's operators that can only give null, where the document contains them.
enum OperandCheck {
  /// The problems of an operator's operands.
  static func problems(of name: String, _ operands: [any Expression], for fractionals: FractionalVersion) -> [String] {
    switch name {
    case "sem_ver": version(operands)
    case "starts_with", "ends_with": affix(operands)
    case "fractional": fractional(operands, fractionals)
    default: []
    }
  }

  private static func constant(_ expression: any Expression) -> FlagValue? {
    (expression as? ConstantExpression)?.constant
  }

  private static func version(_ operands: [any Expression]) -> [String] {
    guard operands.count == 3 else { return ["it takes a version, an operator and a version, not \(operands.count)"] }
    var problems: [String] = []
    if let comparison = constant(operands[1]), VersionComparison(comparison) == nil {
      let all = VersionComparison.allCases.map(\.rawValue).joined(separator: " ")
      problems.append("operator \(comparison) is unknown; one of \(all)")
    }
    for value in [operands[0], operands[2]].compactMap(constant) where SemanticVersion(value) == nil {
      problems.append("\(value) is no semantic version, such as 1.2.3")
    }
    return problems
  }

  private static func affix(_ operands: [any Expression]) -> [String] {
    guard operands.count == 2 else { return ["it takes two strings, not \(operands.count)"] }
    return operands.compactMap(constant).compactMap {
      if case .string = $0 { nil } else { "\($0) is no string" }
    }
  }

  private static func fractional(_ operands: [any Expression], _ version: FractionalVersion) -> [String] {
    var shares = operands[...]
    switch operands.first.flatMap(constant) {
    case .array: break
    case nil where operands.first is ArrayExpression: break
    case .null? where version == .v3: return ["the bucketing value is null, and so is the result"]
    case nil, .null, .string: shares = shares.dropFirst()
    case _? where version == .v3: shares = shares.dropFirst()
    case let other?: return ["the bucketing value \(other) is no string"]
    }
    guard !shares.isEmpty else { return ["it has no variants with weights, such as [\"on\", 25]"] }
    var (problems, total) = ([String](), 0.0)
    for share in shares.compactMap(constant) {
      guard case .array(let parts) = share, let value = parts.first else {
        problems.append("\(share) is no variant with a weight, such as [\"on\", 25]")
        continue
      }
      if case .array = value { problems.append("\(value) cannot be the name of a variant") }
      if case .object = value { problems.append("\(value) cannot be the name of a variant") }
      switch parts.count > 1 ? parts[1] : .null {
      case .null: total += 1
      case .number(let weight) where weight == weight.rounded(): total += max(0, weight)
      case let weight: problems.append("the weight \(weight) of \(value) is no whole number")
      }
    }
    if total > Double(Int32.max) { problems.append("the weights are more than 2147483647 together") }
    return problems
  }
}
