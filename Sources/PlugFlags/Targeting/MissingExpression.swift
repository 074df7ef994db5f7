/// `missing` and `missing_some`: which of some paths lead to nothing.
///
/// Null is missing, and an empty string is not: so it is in the implementations in Go and Java, while JavaScript's
/// takes an empty string as missing as well.
final class MissingExpression: Expression {
  let name: String
  /// How many of them have to be there; `nil` if all.
  private let needed: (any Expression)?
  private let paths: [any Expression]

  init(_ name: String, needed: (any Expression)?, paths: [any Expression]) {
    (self.name, self.needed, self.paths) = (name, needed, paths)
  }

  func evaluate(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
    let needed = try needed?.readValue(in: context, &state).asNumber
    var wanted: [FlagValue] = []
    for path in paths { wanted.append(try path.readValue(in: context, &state)) }
    // An array in the place of the first path has all of them.
    if case .array(let elements) = wanted.first { wanted = elements }
    let missing = wanted.filter { VariablePath($0).value(in: context, &state) ?? .null == .null }
    if let needed, Double(wanted.count - missing.count) >= needed { return .array([]) }
    return .array(missing)
  }
}
